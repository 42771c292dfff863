/* Where a command wants a profile and may be given a trace: the trace is analysed first, and its profile
 * stored next to it. */
#pragma once
#include "base/progress.h"
#include "profile/profile.h"
#include "profile/sql/sql.h"

enum { SB_CLI_PATH = 4096 };
/* The path of the profile: `path` itself, or the profile of the trace at `path`. */
bool sb_cli_profile_path(const char *path, char profile_path[SB_CLI_PATH], struct sb_err *e);

/* Shows the progress of an analysis on the terminal; ctx is a struct sb_progress. */
bool sb_cli_show_analysis(void *ctx, uint64_t done, uint64_t total);

/* A profile and an SQL connection to it; sb_cli_profile_close closes both. */
struct sb_cli_profile {
    struct sb_profile *profile;
    struct sb_sql *sql;
    struct sb_progress progress; /* of what explains a large run */
};
bool sb_cli_profile_open(struct sb_cli_profile *c, const char *path, struct sb_err *e);
/* Reports on stderr any damage found while the profile was read; returns the exit code. */
int sb_cli_profile_close(struct sb_cli_profile *c);
void
sb_cli_note_losses(const struct sb_profile *p); /* on stderr: what is lost, only counted, or still to come */
size_t sb_cli_width(int fd);                    /* $COLUMNS, columns of this terminal, or 80 */
