/* Starts a program and reports whether it could be started. */
#ifndef SB_LIVE_START_H
#define SB_LIVE_START_H
#include "live/folder.h"
#include <sys/types.h>

/* False with the reason in errno as well. `recorded`: its BEAMs record into this folder; NULL: the
 * environment is unchanged. No signal is blocked in it. */
bool sb_start(pid_t *pid, char *const *argv, const struct sb_folder *recorded, struct sb_err *e);
/* Starts a program with one signal blocked: sent before the program handles it, it waits until then. */
bool sb_start_blocking(pid_t *pid, char *const *argv, int signal, struct sb_err *e);
/* After a failure of either, what a shell would exit with: 127 if there is no such program, else 126. */
int sb_start_exit_code(void);

#endif
