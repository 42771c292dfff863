/*
 * Answers that are asked again: a profile never changes, so what was worked out once is given to whoever asks
 * the same, also to ten pages that open at one time. Small answers only, the last few; any thread may ask.
 */
#ifndef SB_SERVE_KEPT_H
#define SB_SERVE_KEPT_H
#include "base/arena.h"
#include "base/file.h"

#define SB_KEPT_ANSWERS 64
#define SB_KEPT_BYTES (256 * 1024) /* of one answer; more than that is worked out again */

struct sb_kept;
struct sb_kept *sb_kept_open(void);
void sb_kept_close(struct sb_kept *k);

/* True: `out` holds the answer. False: nobody knows it, and the caller works it out and says so with
   sb_kept_put; who asks the same meanwhile waits for that. */
bool sb_kept_get(struct sb_kept *k, struct sb_str question, struct sb_out *out);
/* `answer` NULL: it could not be worked out, or is not the same for all */
void sb_kept_put(struct sb_kept *k, struct sb_str question, const struct sb_out *answer);

#endif
