/* Where a command wants a profile and may be given a trace: that is analysed first, and the profile kept
 * beside it. */
#ifndef SB_CLI_PROFILE_H
#define SB_CLI_PROFILE_H
#include "profile/profile.h"
#include "profile/sql.h"

enum { SB_CLI_PATH = 4096 };
/* The profile that `path` is, or that was made of the trace that it is. */
bool sb_cli_profile_path(const char *path, char profile_path[SB_CLI_PATH], struct sb_err *e);

/* An analysis as a line on the terminal; ctx is a struct sb_progress. */
bool sb_cli_show_analysis(void *ctx, uint64_t done, uint64_t total);

/* The profile and a connection to ask it with; both closed by sb_cli_profile_close. */
struct sb_cli_profile {
    struct sb_profile *profile;
    struct sb_sql *sql;
};
bool sb_cli_profile_open(struct sb_cli_profile *c, const char *path, struct sb_err *e);
/* Says on stderr what of the profile was found damaged while it was read; the exit code. */
int sb_cli_profile_close(struct sb_cli_profile *c);
size_t sb_cli_width(void); /* columns of the terminal, $COLUMNS, or 80 */

#endif
