/* The data that a record has about a term: the process it names, its size, a fingerprint. */
#ifndef STROBE_TERM_H
#define STROBE_TERM_H
#include "capture.h"

sb_actor term_actor(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned *flags);
struct measure {
    uint64_t words;
    uint16_t print;
    bool at_least;
};
struct measure term_measure(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM t, unsigned bound);
size_t term_text(ErlNifEnv *env, ERL_NIF_TERM t, char *out, size_t cap); /* short, for exit reasons */

#endif
