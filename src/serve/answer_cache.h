/*
 * Answers that are asked again: a profile never changes, so what was worked out once is given to whoever asks
 * the same, also to ten pages that open at one time. Small answers only, the last few; any thread may ask.
 */
#ifndef SB_SERVE_ANSWER_CACHE_H
#define SB_SERVE_ANSWER_CACHE_H
#include "base/arena.h"
#include "base/file.h"

#define SB_KEPT_ANSWERS 64
#define SB_KEPT_BYTES (256 * 1024) /* of one answer; more than that is worked out again */

struct sb_answer_cache;
struct sb_answer_cache *sb_answer_cache_open(void);
void sb_answer_cache_close(struct sb_answer_cache *k);

/* True: `out` holds the answer. False: nobody knows it, and the caller works it out and says so with
   sb_answer_cache_put; who asks the same meanwhile waits for that. */
bool sb_answer_cache_get(struct sb_answer_cache *k, struct sb_str question, struct sb_out *out);
/* `answer` NULL: it could not be worked out, or is not the same for all */
void sb_answer_cache_put(struct sb_answer_cache *k, struct sb_str question, const struct sb_out *answer);

#endif
