#include "live/attach/beam.h"
#include "base/file.h"
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

enum { PROC_FILE_MAX = 1 << 20, SOCKETS_MAX = 16, TCP_LISTEN = 10 };

/* Reads a file of /proc, whose size is not known beforehand. */
static struct sb_str
slurp(const char *path, struct sb_arena *a)
{
    SB_SCOPED_FILE FILE *f = fopen(path, "re");
    if (!f)
        return (struct sb_str){0};
    char *p = sb_realloc_or_die(NULL, PROC_FILE_MAX);
    size_t n = fread(p, 1, PROC_FILE_MAX, f);
    struct sb_str whole = sb_arena_str(a, (struct sb_str){p, n});
    free(p);
    return whole;
}

static struct sb_str
slurp_of(uint32_t os_pid, const char *what, struct sb_arena *a)
{
    return slurp(sb_arena_printf(a, "/proc/%u/%s", os_pid, what).p, a);
}

static bool
is_beam_path(struct sb_str program)
{
    for (size_t at; (at = sb_str_find(program, '/')) < program.n;)
        program = sb_str_sub(program, at + 1, program.n);
    return sb_str_starts(program, SB_STR("beam"));
}

/* The script of a release made by relx gives the VM its own name as the first argument. The kernel knows the
 * program; the name of the process is all that it tells to other users. */
static bool
is_beam(uint32_t os_pid, struct sb_str cmdline, struct sb_arena *a)
{
    char exe[4096];
    ssize_t n = readlink(sb_arena_printf(a, "/proc/%u/exe", os_pid).p, exe, sizeof exe);
    return is_beam_path(sb_str_cut(&cmdline, '\0')) ||
           is_beam_path(n > 0 ? (struct sb_str){exe, (size_t)n} : slurp_of(os_pid, "comm", a));
}

/* The flags that count precede -extra; of a flag that is given twice the first one counts. */
static void
read_flags(struct sb_beam *b, struct sb_str cmdline)
{
    while (cmdline.n > 0) {
        struct sb_str flag = sb_str_cut(&cmdline, '\0'), rest = cmdline;
        struct sb_str value = sb_str_cut(&rest, '\0');
        if (sb_str_eq(flag, SB_STR("-extra")))
            return;
        if ((sb_str_eq(flag, SB_STR("-name")) || sb_str_eq(flag, SB_STR("-sname"))) && !b->name.n)
            b->name = value;
        else if (sb_str_eq(flag, SB_STR("-setcookie")) && !b->cookie.n)
            b->cookie = value;
        else if (sb_str_eq(flag, SB_STR("-home")) && !b->home.n)
            b->home = value;
        else if (sb_str_eq(flag, SB_STR("-proto_dist")) && !b->proto.n)
            b->proto = value;
    }
}

static void
read_environment(struct sb_beam *b, struct sb_str rest)
{
    while (rest.n > 0) {
        struct sb_str value = sb_str_cut(&rest, '\0'), key = sb_str_cut(&value, '=');
        if (sb_str_eq(key, SB_STR("HOME")) && !b->home.n)
            b->home = value;
        else if (sb_str_eq(key, SB_STR("ERL_EPMD_PORT")))
            b->epmd = value;
        else if (sb_str_eq(key, SB_STR("TMPDIR")))
            b->tmp = value;
    }
}

bool
sb_beam_read(struct sb_beam *b, uint32_t os_pid, struct sb_arena *a, struct sb_err *e)
{
    *b = (struct sb_beam){.os_pid = os_pid};
    struct sb_str cmdline = slurp_of(os_pid, "cmdline", a);
    if (cmdline.n == 0) {
        sb_err_set(e, SB_ERR_INPUT, "there is no process %u that this user may look at", os_pid);
        return sb_err_advise(e, "give the pid of a running node, or its name");
    }
    if (!is_beam(os_pid, cmdline, a)) {
        sb_err_set(e, SB_ERR_INPUT, "process %u is no Erlang VM: it runs %.100s", os_pid, cmdline.p);
        return sb_err_advise(e, "`pgrep -a beam` lists the VMs of this machine");
    }
    read_flags(b, cmdline);
    read_environment(b, slurp_of(os_pid, "environ", a));
    return true;
}

/* ---- who listens on a port */

struct sockets {
    unsigned n;
    unsigned long inode[SOCKETS_MAX];
};

static void
add_listening(struct sockets *s, const char *table, uint16_t port)
{
    SB_SCOPED_FILE FILE *f = fopen(table, "re");
    char line[512];
    while (f && fgets(line, sizeof line, f)) {
        unsigned at, state;
        unsigned long inode;
        if (sscanf(line, " %*u: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*x:%*x %*x:%*x %*x %*u %*u %lu", &at,
                   &state, &inode) == 3 &&
            at == port && state == TCP_LISTEN && s->n < SOCKETS_MAX)
            s->inode[s->n++] = inode;
    }
}

static bool
holds_one(uint32_t os_pid, const struct sockets *s)
{
    char path[64], link[600], target[64];
    snprintf(path, sizeof path, "/proc/%u/fd", os_pid);
    SB_SCOPED_DIR DIR *d = opendir(path);
    bool found = false;
    for (struct dirent *f; d && !found && (f = readdir(d));) {
        unsigned long inode;
        snprintf(link, sizeof link, "%s/%s", path, f->d_name);
        ssize_t n = readlink(link, target, sizeof target - 1);
        target[n > 0 ? n : 0] = 0;
        if (sscanf(target, "socket:[%lu]", &inode) == 1)
            for (unsigned i = 0; i < s->n; i++)
                found |= s->inode[i] == inode;
    }
    return found;
}

static struct sockets
listening(uint16_t port)
{
    struct sockets s = {0};
    add_listening(&s, "/proc/net/tcp", port);
    add_listening(&s, "/proc/net/tcp6", port);
    return s;
}

bool
sb_beam_listens(uint32_t os_pid, uint16_t port)
{
    struct sockets s = listening(port);
    return s.n > 0 && holds_one(os_pid, &s);
}

uint32_t
sb_beam_of_port(uint16_t port)
{
    struct sockets s = listening(port);
    SB_SCOPED_DIR DIR *d = s.n > 0 ? opendir("/proc") : NULL;
    for (struct dirent *f; d && (f = readdir(d));) {
        uint64_t pid;
        if (isdigit((unsigned char)f->d_name[0]) && sb_str_to_u64(sb_str_of(f->d_name), &pid) &&
            holds_one((uint32_t)pid, &s))
            return (uint32_t)pid;
    }
    return 0;
}
