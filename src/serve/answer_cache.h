/*
 * A cache of the last small answers. A profile never changes, so equal questions share one computation, also
 * those of ten pages that open at once. Any thread may use it.
 */
#pragma once
#include "base/arena.h"
#include "base/file.h"

#define SB_KEPT_ANSWERS 64
#define SB_KEPT_BYTES (256 * 1024) /* of one answer; larger ones are not cached */

struct sb_answer_cache;
struct sb_answer_cache *sb_answer_cache_open(void);
void sb_answer_cache_close(struct sb_answer_cache *k);

/* True: `out` holds the answer. False: the caller must compute it and call sb_answer_cache_put; meanwhile
   others with the same question wait. */
bool sb_answer_cache_get(struct sb_answer_cache *k, struct sb_str question, struct sb_out *out);
/* `answer` NULL: it could not be computed, or must not be shared */
void sb_answer_cache_put(struct sb_answer_cache *k, struct sb_str question, const struct sb_out *answer);
