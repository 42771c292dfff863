#include "ask.h"
#include "capture.h"
#include "trace/sbt/ring_ask.h"

/* The rings stay mapped while a thread is inside; NULL: nothing is recorded. */
static struct worker *
enter(void)
{
    return capture_enter(SB_MARKS);
}

static bool
read_text(ErlNifEnv *env, ERL_NIF_TERM t, char *to, size_t room)
{
    ErlNifBinary bin;
    if (!enif_inspect_binary(env, t, &bin))
        return false;
    size_t n = bin.size < room ? bin.size : room - 1;
    memcpy(to, bin.data, n);
    to[n] = 0;
    return true;
}

static enum sb_ring_ask_kind
kind_of(ErlNifEnv *env, ERL_NIF_TERM t)
{
    return enif_is_identical(t, enif_make_atom(env, "trigger")) ? SB_ASK_TRIGGER
           : enif_is_identical(t, enif_make_atom(env, "stack")) ? SB_ASK_STACK
                                                                : SB_ASK_SNAPSHOT;
}

/* (snapshot | trigger | stack, Why, Path) -> Slot | busy | none: a request; only a snapshot has an answer */
NIF(nif_ask)
{
    char why[SB_ASK_WHY], path[SB_ASK_TEXT];
    if (!read_text(env, argv[1], why, sizeof why) || !read_text(env, argv[2], path, sizeof path))
        return enif_make_badarg(env);
    struct worker *w = enter();
    if (!w)
        return enif_make_atom(env, "none");
    bool flight = atomic_load(&capture.rings->flight) != SB_FLIGHT_NONE;
    int slot = flight ? sb_ring_ask(capture.rings, kind_of(env, argv[0]), now_ns(), why, path) : -1;
    capture_leave(w);
    return !flight    ? enif_make_atom(env, "none")
           : slot < 0 ? enif_make_atom(env, "busy")
                      : enif_make_int(env, slot);
}

/* (Slot) -> waiting | {written, Path} | {failed, Text} | none */
NIF(nif_answer)
{
    char text[SB_ASK_TEXT];
    int slot;
    if (!enif_get_int(env, argv[0], &slot) || slot < 0 || slot >= SB_ASKS)
        return enif_make_badarg(env);
    struct worker *w = enter();
    if (!w)
        return enif_make_atom(env, "none");
    enum sb_ring_ask_state is = sb_ring_answer(capture.rings, slot, text);
    bool flight = atomic_load(&capture.rings->flight) != SB_FLIGHT_NONE;
    capture_leave(w);
    if (is == SB_ASK_SEEN)
        return enif_make_atom(env, flight ? "waiting" : "none");
    ERL_NIF_TERM bin;
    memcpy(enif_make_new_binary(env, strlen(text), &bin), text, strlen(text));
    return enif_make_tuple2(env, enif_make_atom(env, is == SB_ASK_WRITTEN ? "written" : "failed"), bin);
}

/* () -> boolean(): true once after a drain that knows nothing of the processes has taken over */
NIF(nif_forgot)
{
    uint32_t is = SB_FLIGHT_FORGOT;
    struct worker *w = enter();
    bool forgot = w && atomic_compare_exchange_strong(&capture.rings->flight, &is, SB_FLIGHT_ON);
    if (w)
        capture_leave(w);
    return enif_make_atom(env, forgot ? "true" : "false");
}

/* () -> [{Number, Serial}]: processes whose stacks the recorder wants to know; each is told once */
NIF(nif_wanted)
{
    ERL_NIF_TERM list = enif_make_list(env, 0);
    struct worker *w = enter();
    for (int i = 0; w && i < SB_WANTED; i++) {
        sb_actor who = atomic_exchange(&sb_ring_asks_of(capture.rings)->wanted[i], 0);
        if (who)
            list = enif_make_list_cell(env,
                                       enif_make_tuple2(env, enif_make_uint(env, sb_actor_number(who)),
                                                        enif_make_uint(env, sb_actor_serial(who))),
                                       list);
    }
    if (w)
        capture_leave(w);
    return list;
}
