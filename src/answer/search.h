/*
 * Searching for names as they are shown: words in any order, in lower or upper case, in any script, as Erlang
 * or as Elixir writes functions. Used by the page's search and by `--process`.
 */
#pragma once
#include "base/arena.h"

enum { SB_SEARCH_WORDS = 16 };

struct sb_search {
    struct sb_str word[SB_SEARCH_WORDS]; /* folded; those beyond the 16th are part of the last */
    size_t n;
};

void sb_search_read(struct sb_search *s, struct sb_str text, struct sb_arena *a); /* its words are in the
                                                                                     arena */
/* True if each word is in one of the texts. An empty search matches all; quotes alone match nothing. The
 * arena is used only during the call. */
bool sb_search_matches(const struct sb_search *s, const struct sb_str *text, size_t n, struct sb_arena *a);
