/* Ids of rows that could be taken for ids of other things: a scheduler's next to a process's (pass/mail.c). */
#pragma once
#include <stdint.h>

struct sb_scheduler_id {
    uint32_t i; /* scheduler.id; 0: unknown */
};
