/* Folders for temporary files, in TMPDIR or else in /tmp. */
#pragma once
#include "base/arena.h"
#include "base/err.h"

const char *sb_temporary_root(void);
/* Makes a folder "NAME-XXXXXX" for `purpose`, such as "the trace"; NULL: an error. */
const char *sb_temporary_folder(const char *name, const char *purpose, struct sb_arena *a, struct sb_err *e);
void sb_temporary_remove(const char *folder); /* and the files in it */
