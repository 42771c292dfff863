/* What a command may write to: never a file that it reads, never a trace that somebody recorded. */
#ifndef SB_CLI_OUTPUT_H
#define SB_CLI_OUTPUT_H
#include "base/err.h"
#include <stddef.h>

/* False with SB_ERR_USAGE if the output `out` (may be NULL) is one of the `n` inputs, or a trace of strobe:
 * writing would destroy it. */
bool sb_cli_may_write(const char *out, const char *const *in, size_t n, struct sb_err *e);
/* Whether a file of this name can be created or replaced. `in_place`: it may be a pipe or a device, too. */
bool sb_cli_can_create(const char *path, bool in_place);

#endif
