/* The process that most of the waiting is for. */
#ifndef SB_ANSWER_FUNNEL_H
#define SB_ANSWER_FUNNEL_H
#include "answer/answer.h"

struct sb_funnel {
    int64_t process;   /* whose messages and exits ended most of the waiting; SB_NULL: none */
    int64_t waiters;   /* processes it sends to */
    int64_t waited_ns; /* until it woke them */
    int64_t lives_ns;  /* of those processes */
    int64_t busy_ns;   /* its own run time */
    bool is_sample;    /* from some of the gaps, evenly taken */
};
bool sb_funnel_find(const struct sb_ask *ask, struct sb_funnel *f, struct sb_err *e);

#endif
