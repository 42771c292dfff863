#pragma once
#include <stdbool.h>
#include <sys/types.h>

/* Whether the process has ended; one that its parent has not waited for yet (a zombie) has. */
bool sb_process_is_gone(pid_t pid);
