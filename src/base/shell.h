/* Words of a command that a user copies into a POSIX shell. */
#pragma once
#include "base/arena.h"

/* `s` as one word: in single quotes where the shell would read something else. */
struct sb_str sb_shell_word(struct sb_str s, struct sb_arena *a);
/* The file that a shell which looks for `name` in $PATH finds; NULL: there is none. */
const char *sb_shell_find(const char *name, struct sb_arena *a);
/* A word that starts this program from the current folder: "strobe" if $PATH leads to it, else its path. */
struct sb_str sb_shell_self(struct sb_arena *a);
