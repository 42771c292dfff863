#include "callers.h"

/* Threads share these slots, and only requests from other nodes and their replies use them. A slot that two threads
 * write at once may have a word of each: then `check` fits no alias. */
enum { SETS = 4096, WAYS = 8 };
struct slot {
    _Atomic uint64_t who, check; /* who 0: free */
};
static struct slot callers[SETS][WAYS];

static uint64_t
key_of(ErlNifEnv *env, ERL_NIF_TERM alias) /* 0: none */
{
    ErlNifBinary bin;
    if (!enif_term_to_binary(env, alias, &bin))
        return 0;
    /* a node has another number in each recording */
    uint64_t h = atomic_load_explicit(&capture.generation, memory_order_relaxed);
    for (size_t i = 0; i < bin.size; i++)
        h = (h ^ bin.data[i]) * 0x100000001b3u;
    enif_release_binary(&bin);
    return h ^ h >> 32;
}

/* {Pid, Tag} in the message of a call; NULL: it is none. */
static const ERL_NIF_TERM *
from_of(ErlNifEnv *env, struct worker *w, const ERL_NIF_TERM *at, int n)
{
    const ERL_NIF_TERM *from;
    int two;
    bool has = n == 3 && layout_get_tuple(&capture.layout, env, at[1], &two, &from) && two == 2;
    return has && from[0] == w->far ? from : NULL;
}

static void
put(ErlNifEnv *env, const ERL_NIF_TERM from[2], sb_actor who)
{
    ERL_NIF_TERM tag, alias;
    if (!enif_get_list_cell(env, from[1], &tag, &alias))
        return;
    if (!enif_is_ref(env, alias) && /* [[alias | Alias] | Label], of requests that are collected */
        (!enif_get_list_cell(env, tag, &tag, &alias) || !enif_is_ref(env, alias)))
        return;
    uint64_t key = key_of(env, alias);
    if (!key)
        return;
    struct slot *set = callers[key % SETS], *to = &set[key / SETS % WAYS];
    for (unsigned i = 0; i < WAYS; i++)
        if (atomic_load_explicit(&set[i].who, memory_order_relaxed) == 0) {
            to = &set[i];
            break;
        }
    atomic_store_explicit(&to->who, who, memory_order_relaxed);
    atomic_store_explicit(&to->check, key ^ who, memory_order_relaxed);
}

unsigned
callers_ask(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM receiver, const ERL_NIF_TERM *at, int n,
            sb_actor who)
{
    const ERL_NIF_TERM *from = from_of(env, w, at, n);
    int i = 0;
    while (i < n && at[i] != w->far)
        i++;
    if (!from && i == n)
        return 0;
    if (from)
        put(env, from, who);
    if ((receiver & 3) == 3) /* nobody here counts the message when it is sent */
        receivers_count(&w->mail, receiver);
    return from ? SB_CALLER : SB_ASKER;
}

/* An alias is for one answer. */
sb_actor
callers_take(ErlNifEnv *env, ERL_NIF_TERM alias)
{
    uint64_t key = key_of(env, alias);
    if (!key)
        return 0;
    struct slot *set = callers[key % SETS];
    for (unsigned i = 0; i < WAYS; i++) {
        sb_actor who = atomic_load_explicit(&set[i].who, memory_order_relaxed);
        if (who && (atomic_load_explicit(&set[i].check, memory_order_relaxed) ^ who) == key) {
            atomic_store_explicit(&set[i].who, 0, memory_order_relaxed);
            return who;
        }
    }
    return 0;
}
