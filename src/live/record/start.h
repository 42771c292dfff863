/* Starts a program and reports whether it could be started. */
#pragma once
#include "live/record/folder.h"

/* False with the reason in errno as well. `recorded`: its BEAMs record into this folder; NULL: the
 * environment is unchanged. No signal is blocked in it. */
bool sb_start(pid_t *pid, char *const *argv, const struct sb_folder *recorded, struct sb_err *e);
/* Starts a drain with SIGTERM and SIGALRM blocked: one sent before the drain handles it waits until then. */
bool sb_start_drain(pid_t *pid, char *const *argv, struct sb_err *e);
/* After a failure of either, what a shell would exit with: 127 if there is no such program, else 126. */
int sb_start_exit_code(void);

/* Makes this process the parent of descendants whose own parent ends, so that a daemon remains one of them. */
void sb_descendants_keep(void);
/* The user of a process of which this one is the parent or an earlier ancestor; our own for any other process. */
uid_t sb_descendant_user(pid_t pid);
