/*
 * The process that most processes wait for. X waits for Y if Y's messages or its exit ended most of X's
 * waiting, X sent about as many requests to Y (or Y spawned it), and X does not wait in its top loop for any
 * message. If Y in turn waits for Z, X waits for Z.
 */
#ifndef SB_ANSWER_BOTTLENECK_H
#define SB_ANSWER_BOTTLENECK_H
#include "answer/answer.h"

struct sb_bottleneck {
    int64_t process;   /* SB_NULL: none that worked for half of the time */
    int64_t waiters;   /* at least two */
    int64_t waited_ns; /* sum of their waits for it, directly or through others */
    int64_t lives_ns;  /* of those processes */
    int64_t work_ns;   /* of the process itself */
    bool is_sample;    /* from some of the gaps, evenly taken */
};
/* The process must run for at least half of `busy_ns`. */
void sb_bottleneck_find(const struct sb_ask *ask, int64_t busy_ns, struct sb_bottleneck *f);

#endif
