#include "engine/pass/pass.h"

static void on_thread(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);

static const struct sb_on on[] = {{SB_EV_thread, SB_OWN, on_thread}};

const struct sb_pass sb_pass_threads = {"threads", "CPU and run-queue times of operating-system threads",
                                        SB_ON_N(on), NULL, NULL};

static void
on_thread(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    bool is_named = sb_names_str(x->run->names, ev->thread.name).n > 0;
    const struct sb_thread_sum *t = sb_thread_sums_add(&x->threads, sb_actor_node(p->actor), ev, is_named);
    struct sb_rows *rows = &x->rows[SB_T_thread_sample];
    struct sb_thread_sample_row *row = sb_row_put(x, SB_T_thread_sample, ev->at_ns, p);
    row->node = sb_cell(rows, sb_node_id(x->run, t->node));
    row->tid = sb_cell(rows, t->tid);
    row->at = sb_rel(x->run, ev->at_ns);
    row->cpu_ns = sb_cell(rows, t->sum[SB_THREAD_CPU]);
    row->queue_ns = sb_cell(rows, t->sum[SB_THREAD_QUEUE]);
    row->voluntary = sb_cell(rows, t->sum[SB_THREAD_VOLUNTARY]);
    row->involuntary = sb_cell(rows, t->sum[SB_THREAD_INVOLUNTARY]);
}
