/*
 * The end of a trace. Processes that are still alive are finished. Their rows go to the profile in ranges
 * ordered by (end, process), the order of rows with equal times, so no range belongs before one that was
 * already written.
 */
#include "base/pool.h"
#include "base/order.h"
#include "engine/edges/edges.h"
#include "engine/out/emit.h"
#include "engine/pass/journal.h"
#include "engine/pass/pass.h"
#include "engine/pyramid/pyramid.h"
#include <stdlib.h>

enum { RANGE_ROWS = 1 << 17 };

struct last {
    int64_t end;
    struct sb_part *part;
    uint32_t id, index;
    size_t rows;
};
struct finishing {
    const struct sb_run *run;
    SB_VEC(struct last) all; /* processes with many final rows, in order */
    size_t from, to;         /* the current range of `all` */
};

static void
finish_part(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct finishing *f = ctx;
    sb_pass_finish(&f->run->part[i]);
    sb_pyramids_part(f->run->pyramids, &f->run->part[i]);
}

static void
finish_many(struct sb_part *x, uint32_t index)
{
    sb_pass_finish_many(x, sb_procs_at(&x->procs, index));
    sb_procs_end(&x->procs, index);
}

static void
finish_range(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct finishing *f = ctx;
    struct sb_part *x = &f->run->part[i];
    for (size_t k = f->from; k < f->to; k++)
        if (f->all.at[k].part == x)
            finish_many(x, f->all.at[k].index);
}

SB_ORDER(by_end, struct last, SB_UP(end) ?: SB_UP(id))

static void
find_all(struct finishing *f)
{
    for (unsigned i = 0; i < SB_PARTS; i++) {
        struct sb_part *x = &f->run->part[i];
        for (size_t k = 0; k < x->procs.n; k++) {
            size_t rows = 0;
            struct sb_proc room;
            const struct sb_proc *p = sb_procs_see(&x->procs, k, &room);
            if (!sb_procs_ended(&x->procs, k) && sb_pass_has_many(x, p, &rows))
                *SB_PUSH(&f->all) =
                    (struct last){sb_node_end(f->run, sb_actor_node(p->actor)), x, p->id, (uint32_t)k, rows};
        }
    }
    SB_SORT(&f->all, by_end);
}

static void
next_range(struct finishing *f)
{
    f->from = f->to;
    for (size_t rows = 0; f->to < f->all.n && rows < RANGE_ROWS; f->to++)
        rows += f->all.at[f->to].rows;
}

void
sb_finish(struct sb_run *r)
{
    struct finishing f = {.run = r};
    sb_pool_each(r->services.pool, SB_PARTS, finish_part, &f);
    sb_edges_finish(r);
    sb_emit_window(r->services.emit);
    find_all(&f);
    for (next_range(&f); f.from < f.to; next_range(&f)) {
        sb_pool_each(r->services.pool, SB_PARTS, finish_range, &f);
        sb_emit_window(r->services.emit);
    }
    sb_journal_stated(r);
    sb_emit_last(r->services.emit);
    SB_VEC_FREE(&f.all);
}
