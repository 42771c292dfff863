#include "enabled.h"
#include "muted.h"

static struct {
    ERL_NIF_TERM trace, discard, remove, trace_status, out;
} am;

void
enabled_load(ErlNifEnv *env)
{
    am.trace = enif_make_atom(env, "trace");
    am.discard = enif_make_atom(env, "discard");
    am.remove = enif_make_atom(env, "remove");
    am.trace_status = enif_make_atom(env, "trace_status");
    am.out = enif_make_atom(env, "out");
}

enum { TAG, STATE, TRACEE };

NIF(enabled)
{
    bool on = atomic_load_explicit(&capture.generation, memory_order_relaxed) & 1;
    if (argv[TAG] == am.trace_status)
        return on ? am.trace : am.remove;
    return on && !capture_is_hidden(argv[TRACEE]) ? am.trace : am.discard;
}

/* If a call is not traced, the VM omits its return_to as well. */
NIF(enabled_call)
{
    return argv[TAG] != am.trace_status && muted_has(argv[TRACEE]) ? am.discard : enabled(env, argc, argv);
}

/* A switch of a process without room is recorded here (room.h). */
NIF(enabled_running)
{
    ERL_NIF_TERM answer = enabled(env, argc, argv);
    if (answer != am.trace || argv[TAG] == am.trace_status || room_has(&capture.layout.room, argv[TRACEE]))
        return answer;
    const ERL_NIF_TERM nothing = enif_make_int(env, 0);
    trace_full(env, (const ERL_NIF_TERM[]){argv[TAG], argv[STATE], argv[TRACEE], nothing, nothing},
               room_function(&capture.layout.room, argv[TRACEE], argv[TAG] == am.out));
    return am.discard;
}
