/*
 * Several nodes at once: each is recorded by a process of its own into a trace of its own. A node that refuses is
 * named, and the others go on.
 */
#pragma once
#include "base/vec.h"
#include <sys/types.h>

struct sb_member {
    const char *target, *trace; /* the name of the node or its process, and of its own trace */
    pid_t pid;                  /* 0: has ended */
    int code;                   /* its exit code then */
};

/* Records one node into `trace`; returns the exit code. */
typedef int sb_member_run(const char *target, const char *trace, void *ctx);
struct sb_members {
    sb_member_run *run;
    void *ctx;
    struct sb_member *at;
    size_t n, cap;
};

/* Starts one process, which ends with this one. */
void sb_member_begin(struct sb_member *m, sb_member_run *run, void *ctx);
/* The trace of one of several: "x.sbt" becomes "x.shop@here.sbt". */
const char *sb_member_trace(const char *trace, const char *target, struct sb_arena *a);
/* Starts one more. */
void sb_members_add(struct sb_members *m, const char *target, const char *trace);
/* The newest of this target; NULL: there is none. */
struct sb_member *sb_members_find(const struct sb_members *m, const char *target);
/* How many run. Takes the exit codes of the others, and names those of several that failed. */
size_t sb_members_running(struct sb_members *m);
void sb_members_end(const struct sb_members *m); /* asks them to end */
/* Waits for all; a signal, of the descriptor `signals`, ends them. */
void sb_members_wait(struct sb_members *m, int signals);
/* Puts the traces that there are into `trace`, of n. Returns their number. */
size_t sb_members_traces(const struct sb_members *m, const char **trace);
int sb_members_close(struct sb_members *m); /* returns the greatest exit code */
