/*
 * Processes that hand out turns: a lock, a semaphore, a pool of things that are no processes. A client asks and waits;
 * the reply comes when another client gives its turn back.
 *
 *     client A --- ask ---> server --- grant ---> A        (free: at once)
 *     client B --- ask ---> server                          B waits
 *     client A --- give --> server --- grant ---> B
 */
#pragma once
#include "why/run/awaits.h"

struct sb_grants {
    int64_t clients, all,
        late;        /* clients with a turn; turns; turns that began when another client's had ended */
    int64_t at_once; /* clients that had a turn at the same time, at most */
};
/* All 0 if the process does not hand out turns. */
struct sb_grants sb_grants_of(const struct sb_evidence *x, int64_t server);
