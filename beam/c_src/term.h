/* The data that a record has about a term: the process it names, its size, a fingerprint. */
#ifndef STROBE_TERM_H
#define STROBE_TERM_H
#include "capture.h"

/* Returns the process or port that a term names, 0 for others. `flags` may be NULL. */
static inline sb_actor term_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned *flags);
sb_actor term_other_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned *flags);
struct measure {
    uint64_t words;
    uint16_t print;
    bool at_least;
};
struct measure term_measure(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned bound);
size_t term_text(ErlNifEnv *env, ERL_NIF_TERM t, char *out, size_t cap); /* short, for exit reasons */

/* Most are local pids. */
static inline sb_actor
term_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned *flags)
{
    const struct layout *l = &capture.layout;
    if (__builtin_expect(l->pid_number_mask && (t & 0xf) == l->pid_tag, 1))
        return sb_actor_make(SB_PID, 0, t >> l->pid_serial_shift & l->pid_serial_mask,
                             t >> 4 & l->pid_number_mask);
    return term_other_actor(env, w, t, flags);
}

#endif
