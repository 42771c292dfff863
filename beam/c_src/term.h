/* The data that a record has about a term: the process it names, its size, a fingerprint. */
#pragma once
#include "capture.h"

/* Returns the process or port that a term names, 0 for others. `flags` may be NULL. */
static inline sb_actor term_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned *flags);
sb_actor term_new_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned *flags);
struct measure {
    uint64_t words;
    uint16_t print;
    bool at_least;
};
struct measure term_measure(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned bound);
size_t term_text(ErlNifEnv *env, ERL_NIF_TERM t, char *out, size_t cap); /* short, for exit reasons */

static inline struct actor_slot *
term_actor_place(struct worker *w, ERL_NIF_TERM t)
{
    return &w->actor[layout_place(t) & (CACHE_ACTOR - 1)];
}

static inline sb_actor
term_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned *flags)
{
    const struct actor_slot *slot = term_actor_place(w, t);
    return __builtin_expect(slot->word == t, 1) ? slot->actor : term_new_actor(env, w, t, flags);
}
