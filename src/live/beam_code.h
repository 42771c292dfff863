/* What a .beam file says of its functions: the little that is needed to know which of them wait for messages.
 */
#ifndef SB_LIVE_BEAM_CODE_H
#define SB_LIVE_BEAM_CODE_H
#include "base/str.h"

/* Called for each function in turn; `waits`: its code has a receive that can block. */
typedef void sb_beam_function(void *ctx, struct sb_str name, uint32_t arity, bool waits);

/* Called for each fun, by the index that it has in its module. */
typedef void sb_beam_fun(void *ctx, uint32_t index, struct sb_str name, uint32_t arity);

/* False when this is no BEAM code that we can read, from here on or at all. Any bytes are safe. */
bool sb_beam_scan(const uint8_t *p, size_t n, sb_beam_function *tell, sb_beam_fun *tell_fun, void *ctx);

#endif
