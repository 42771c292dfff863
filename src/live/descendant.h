/* Which processes belong to the command that is being recorded. */
#ifndef SB_LIVE_DESCENDANT_H
#define SB_LIVE_DESCENDANT_H
#include <stdbool.h>
#include <sys/types.h>

/* Makes this process the parent of descendants whose own parent ends, so that a daemon remains one of them. */
void sb_descendants_keep(void);
/* Whether the process runs as this user, and this process is its parent or an earlier ancestor. */
bool sb_descendant_is(pid_t pid, uid_t user);

#endif
