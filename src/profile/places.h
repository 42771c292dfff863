/* Where the source of functions stands: what the trace states about its code (events waits and place). */
#pragma once
#include "profile/profile.h"

struct sb_source_place {
    struct sb_str file;
    int64_t line; /* 0: unknown */
};
/* Of a function, by the text of its name. Unknown, too, if two nodes or two loads of its module differ. */
struct sb_source_place sb_place_of(const struct sb_profile *p, int64_t text);
/* "lib/shop.ex:12"; empty: unknown */
struct sb_str sb_place_text(const struct sb_profile *p, int64_t text, struct sb_arena *a);
