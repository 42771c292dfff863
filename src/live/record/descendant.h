/* Which processes belong to the command that is being recorded. */
#ifndef SB_LIVE_DESCENDANT_H
#define SB_LIVE_DESCENDANT_H
#include <sys/types.h>

/* Makes this process the parent of descendants whose own parent ends, so that a daemon remains one of them. */
void sb_descendants_keep(void);
/* The user of a process of which this one is the parent or an earlier ancestor; our own for any other process. */
uid_t sb_descendant_user(pid_t pid);

#endif
