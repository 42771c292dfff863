/*
 * The nodes of `strobe top`. A thread for each attaches to it, stays in `watch` as long as the node is watched, and
 * removes all from the node again. Only that thread uses the members while it runs.
 */
#pragma once
#include "live/watch/beside.h"
#include <pthread.h>

struct sb_top_target { /* what the user gave */
    const char *const *target;
    size_t n;
    const char *via; /* NULL, or the way to the one node */
    bool force;
};

struct sb_top_node {
    struct sb_record_options how;
    struct sb_attach_options attach;
    struct sb_arena arena;
    struct sb_rings_of at;
    struct sb_attach_result result;
    struct sb_err err;
    bool started, ok;
    void (*ended)(struct sb_top_node *n); /* called in the thread at its end; may be NULL */
    pthread_t thread;
};

/* Starts the thread of target `i`; attach.watch, attach.ctx and `ended` are set. */
void sb_top_node_begin(struct sb_top_node *n, const struct sb_top_target *t, size_t i, uint64_t buffer);
/* Waits for it and prints what is wrong, and what is left in the node; returns the exit code. */
int sb_top_node_end(struct sb_top_node *n);
void sb_top_node_free(struct sb_top_node *n);
