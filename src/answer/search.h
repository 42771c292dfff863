/*
 * Searching for names as they are shown: words in any order, in lower or upper case, of any script, as Erlang or as
 * Elixir writes a function. The page's search and `--process` ask here.
 */
#ifndef SB_ANSWER_SEARCH_H
#define SB_ANSWER_SEARCH_H
#include "base/arena.h"

enum { SB_SEARCH_WORDS = 16 };

struct sb_search {
    struct sb_str word[SB_SEARCH_WORDS]; /* folded; those beyond the 16th are part of the last */
    size_t n;
};

/* Without quotes, in lower case: what texts are compared by. In the arena. */
struct sb_str sb_search_fold(struct sb_str text, struct sb_arena *a);
void sb_search_read(struct sb_search *s, struct sb_str text, struct sb_arena *a); /* its words lie in the arena */
/* Whether each word is in one of the texts. Nothing to search for matches all, and quotes alone match nothing.
   The arena is for the time of the call. */
bool sb_search_matches(const struct sb_search *s, const struct sb_str *text, size_t n, struct sb_arena *a);

#endif
