/*
 * "did you mean report?": of some words the one that differs least from what a user wrote. Words are offered one
 * by one, so a caller can search any table:
 *
 *     struct sb_nearest n = sb_nearest_to(word);
 *     for (...) sb_nearest_offer(&n, word);
 *     sb_err_set(e, ..., "unknown section '%s'%s", word, sb_nearest_hint(&n));
 */
#pragma once
#include "base/str.h"

struct sb_nearest {
    struct sb_str word, best; /* best: empty if no word is near enough */
    size_t distance;          /* of `best`; words must be nearer than that */
    char hint[80];
};

struct sb_nearest sb_nearest_to(struct sb_str word);
void sb_nearest_offer(struct sb_nearest *n, struct sb_str candidate);
const char *sb_nearest_hint(struct sb_nearest *n); /* ", did you mean WORD?", or "" */
