/* The state of the windows, as the files that make them share it. */
#pragma once
#include "engine/order/bundle.h"
#include "engine/order/order.h"
#include "engine/order/read.h"

struct sb_order {
    struct sb_run *run;
    struct sb_read read;
    struct sb_bundler *bundler; /* one per worker */
    struct sb_store items; /* all items of the parts, if the whole trace is read before the first window */
    struct sb_items control, named; /* items not yet in a window, in time order */
    size_t control_taken, named_taken;
    size_t taken[SB_PARTS]; /* from each part's waiting items */
    bool started;           /* if not bounded, everything has been read */
    bool has_begun;         /* the first event was read, so the beginning of the axis is known */
    uint64_t until;         /* biased end of the last window */
    uint64_t sampled;       /* the same of the samples that control has seen */
    _Atomic bool late;      /* an event came after the window that it belongs to */
};

/* Finds the end of the next window; sb_order_each_part then collects its items. */
bool sb_order_advance(struct sb_order *o, uint64_t *until, struct sb_err *e);
/* Runs `fn` for every part on the items read for it. */
void sb_order_each_part(struct sb_order *o, sb_job_fn *fn, void *ctx);
/* Adds a part's items of the window; control has already put exits of linked processes there. */
void sb_order_take(struct sb_order *o, size_t part, uint64_t until);
/* Returns the items from `taken` on that are before `until`. */
struct sb_items sb_order_slice(struct sb_items *v, size_t *taken, uint64_t until);
void sb_order_sort(struct sb_items *v, struct sb_items *scratch); /* by stamp */
int64_t sb_order_end_of(uint64_t until);                          /* without the bias */
void sb_order_samples(struct sb_order *o, uint64_t until); /* gives control the samples of the window */
/* Reads the whole trace into the items of the parts. */
bool sb_order_load(struct sb_order *o, struct sb_err *e);
bool sb_order_learn(struct sb_order *o, struct sb_err *e);
