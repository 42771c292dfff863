/* "-" as the name of a file to read: standard input. */
#ifndef SB_CLI_STDIN_H
#define SB_CLI_STDIN_H
#include "base/err.h"
#include <stddef.h>

#define SB_CLI_STDIN "/proc/self/fd/" /* how the paths of such files begin */

/* Replaces the path "-" by that of a temporary file without a name, which holds all of standard input: files are
 * mapped, and a pipe cannot be. The file lasts as long as the program. */
bool sb_cli_read_stdin(const char **path, size_t n, struct sb_err *e);

#endif
