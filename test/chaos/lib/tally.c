/*
 * Counters in a file that outlive the node, since the file is mapped: tally:open(Path), then tally:add(Slot). A program
 * adds before and after each operation, so at a kill the two differ by what was under way.
 */
#include <erl_nif.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLOTS = 512 };
static _Atomic unsigned long *slot;

static ERL_NIF_TERM
tally_open(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    char path[1024];
    (void)argc;
    if (enif_get_string(env, argv[0], path, sizeof path, ERL_NIF_LATIN1) <= 0)
        return enif_make_badarg(env);
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    void *p = fd < 0 || ftruncate(fd, SLOTS * sizeof *slot) < 0
                  ? MAP_FAILED
                  : mmap(NULL, SLOTS * sizeof *slot, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    if (p == MAP_FAILED)
        return enif_make_badarg(env);
    slot = p;
    return enif_make_atom(env, "ok");
}

static ERL_NIF_TERM
tally_add(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    unsigned i;
    (void)argc;
    if (!slot || !enif_get_uint(env, argv[0], &i) || i >= SLOTS)
        return enif_make_badarg(env);
    atomic_fetch_add(&slot[i], 1);
    return argv[0];
}

static ErlNifFunc functions[] = {{"open", 1, tally_open, 0}, {"add", 1, tally_add, 0}};
ERL_NIF_INIT(tally, functions, NULL, NULL, NULL, NULL)
