#include "live/attach/check.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE "x86_64"
#elif defined(__aarch64__)
#define ARCHITECTURE "aarch64"
#else
#define ARCHITECTURE "unknown"
#endif

/*
 * A scheduler with more than RUNNABLE_MAX processes in its queue, at each of several looks, delays everything
 * already. A recording takes the rings and about as much for the drain and its files (SPARE). A new process or
 * atom must find room in the tables of the VM: atoms are those of strobe's modules.
 */
enum { RUNNABLE_MAX = 10, SPARE = 64 << 20, PROCESSES_SPARE = 100, ATOMS_SPARE = 10000 };

static bool
maps_of_node_have(long os_pid, const char *word)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%ld/maps", os_pid);
    FILE *f = fopen(path, "re");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = strstr(line, word) != NULL;
    if (f)
        fclose(f);
    return found;
}

/* The node says its number; a container counts its processes by itself. */
static bool
is_here(const struct sb_peer_facts *f, const struct sb_target *t)
{
    return t->beam.os_pid == 0 || t->beam.os_pid == (uint32_t)f->os_pid;
}

bool
sb_check_kind(const struct sb_peer_facts *f, const struct sb_target *t, struct sb_err *e)
{
    char proc[64];
    snprintf(proc, sizeof proc, "/proc/%ld", f->os_pid);
    if (!is_here(f, t) || access(proc, F_OK) < 0) {
        sb_err_set(e, SB_ERR_INPUT, "%.*s runs in a container or on another machine", SB_STR_ARG(t->node));
        return sb_err_advise(e, "run strobe where the node runs");
    }
    if (f->words != 8 || strncmp(f->architecture, ARCHITECTURE, strlen(ARCHITECTURE)) != 0)
        return sb_err_set(
            e, SB_ERR_INPUT,
            "%.*s is a VM for %s with words of %ld bytes: this strobe has a tracer for " ARCHITECTURE " only",
            SB_STR_ARG(t->node), f->architecture, f->words);
    if (strstr(f->architecture, "musl") || maps_of_node_have(f->os_pid, "/ld-musl"))
        return sb_err_set(e, SB_ERR_INPUT,
                          "%.*s runs with the C library musl: this strobe has a tracer for glibc only",
                          SB_STR_ARG(t->node));
    return true;
}

static bool
available_memory(uint64_t *bytes)
{
    char line[200];
    unsigned long long kib = 0;
    FILE *f = fopen("/proc/meminfo", "re");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, "MemAvailable: %llu kB", &kib) == 1;
    if (f)
        fclose(f);
    *bytes = kib << 10;
    return found;
}

bool
sb_check_health(const struct sb_peer_facts *f, uint64_t buffer, struct sb_err *e)
{
    uint64_t free_bytes;
    if (f->runnable > f->schedulers * RUNNABLE_MAX)
        sb_err_set(e, SB_ERR_LIMIT, "the node is overloaded: %ld processes wait for %ld schedulers",
                   f->runnable, f->schedulers);
    else if (available_memory(&free_bytes) && free_bytes < buffer + SPARE)
        sb_err_set(e, SB_ERR_LIMIT, "only %llu MiB of memory are available on this machine",
                   (unsigned long long)free_bytes >> 20);
    else if (f->processes + PROCESSES_SPARE > f->most_processes)
        sb_err_set(e, SB_ERR_LIMIT, "the node has %ld of at most %ld processes", f->processes,
                   f->most_processes);
    else if (f->atoms + ATOMS_SPARE > f->most_atoms)
        sb_err_set(e, SB_ERR_LIMIT, "the node has %ld of at most %ld atoms", f->atoms, f->most_atoms);
    else
        return true;
    e->code = SB_ERR_SYSTEM;
    return sb_err_advise(e, "attach when it has recovered, or with --force");
}
