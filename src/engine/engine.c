#include "engine/steps.h"
#include "engine/engine.h"
#include "engine/kept.h"
#include "engine/world/actors.h"
#include "engine/merge/profile_source.h"
#include "engine/world/control.h"
#include "engine/edges/edges.h"
#include "engine/out/emit.h"
#include "engine/input/inputs.h"
#include "engine/order/facts.h"
#include "engine/order/order.h"
#include "engine/pyramid/pyramid.h"
#include "engine/world/counted.h"
#include "engine/world/lanes.h"
#include "engine/world/quiet.h"
#include "engine/input/merge_rows.h"
#include "engine/out/tables.h"
#include "engine/world/waits.h"
#include "base/progress.h"
#include "trace/kind.h"

void
sb_engine_defaults(struct sb_engine_options *o)
{
    *o = (struct sb_engine_options){.messages = true, .calls = true};
}

/* ---- the run ---- */

static void
fill_words(struct sb_run *r)
{
    static const char *const text[SB_WORDS] = {[SB_W_none] = "",
                                               [SB_W_normal] = "normal",
                                               [SB_W_dirty_cpu] = "dirty_cpu",
                                               [SB_W_dirty_io] = "dirty_io",
                                               [SB_W_unknown] = "unknown",
                                               [SB_W_message] = "message",
                                               [SB_W_exit] = "exit",
                                               [SB_W_spawn] = "spawn",
                                               [SB_W_preempted] = "preempted",
                                               [SB_W_timeout] = "timeout",
                                               [SB_W_handover] = "handover",
                                               [SB_W_busy] = "busy",
                                               [SB_W_minor] = "minor",
                                               [SB_W_major] = "major",
                                               [SB_W_suspend] = "suspend",
                                               [SB_W_garbage_collect] = "garbage_collect"};
    for (unsigned w = 1; w < SB_WORDS; w++)
        r->words.of[w] = sb_names_text(r->names, sb_str_of(text[w]));
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++)
        r->words.kind[k] = sb_names_text(r->names, sb_str_of(sb_kinds[k].tag));
}

static void
open_parts(struct sb_run *r)
{
    r->part = sb_zeroed_or_die(SB_PARTS, sizeof *r->part);
    for (unsigned i = 0; i < SB_PARTS; i++) {
        r->part[i].run = r;
        r->part[i].index = i;
    }
}

static void
close_part(struct sb_part *x)
{
    sb_pass_free(x);
    sb_procs_close(&x->procs);
    SB_VEC_FREE(&x->lives);
    for (unsigned t = 0; t < SB_TABLES; t++)
        sb_rows_free(&x->rows[t]);
    SB_VEC_FREE(&x->spans);
    SB_VEC_FREE(&x->ended);
    sb_edge_notes_free(&x->notes);
    SB_VEC_FREE(&x->queues.sum);
    SB_VEC_FREE(&x->queues.unnamed);
    SB_VEC_FREE(&x->queues.ambiguous);
    SB_VEC_FREE(&x->lanes.fresh);
    sb_thread_sums_free(&x->threads);
    SB_VEC_FREE(&x->asked);
    sb_map_close(&x->asked_by);
    sb_map_close(&x->mailboxes);
    sb_map_close(&x->index_of);
    sb_map_close(&x->later);
    sb_map_close(&x->queues.edge);
    sb_map_close(&x->lanes.seen);
}

void
sb_steps_open(struct sb_run *r)
{
    open_parts(r);
    r->edges = sb_edges_open(r);
    fill_words(r);
    r->control = sb_control_open();
    r->waits = sb_waits_open(r);
    r->quiet = sb_quiet_open(r);
    r->counted = sb_counted_open();
    r->pyramids = sb_pyramids_open(r);
    r->services.emit = sb_emit_open(r);
}

void
sb_steps_close(struct sb_run *r)
{
    sb_emit_close(r->services.emit);
    sb_pyramids_close(r->pyramids);
    sb_quiet_close(r->quiet);
    sb_counted_close(r->counted);
    sb_waits_close(r->waits);
    sb_control_close(r->control);
    for (unsigned i = 0; r->part && i < SB_PARTS; i++)
        close_part(&r->part[i]);
    sb_edges_close(r->edges, r->services.workers);
    free(r->part);
    sb_lanes_close(&r->lanes);
    sb_merge_rows_close(r->stored);
    sb_inputs_close(r);
    sb_pool_close(r->services.pool);
}

/* ---- windows ---- */

struct passing {
    struct sb_run *run;
    const struct sb_dispatch *dispatch;
};

static void
pass_part(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct passing *p = ctx;
    sb_pass_window(&p->run->part[i], p->dispatch);
    sb_pyramids_part(p->run->pyramids, &p->run->part[i]);
}

void
sb_steps_window(struct sb_run *r, const struct sb_dispatch *d)
{
    struct passing p = {r, d};
    sb_pool_stage(r->services.pool, "between two windows");
    sb_facts_window(r);
    sb_pyramids_fit(r->pyramids);
    sb_pool_stage(r->services.pool, "pass over the events of each process");
    sb_pool_each(r->services.pool, SB_PARTS, pass_part, &p);
    sb_pool_stage(r->services.pool, "between two windows");
    sb_edges_window(r);
    sb_emit_window(r->services.emit);
}

bool
sb_steps_begin(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e)
{
    SB_TRY(sb_build_open(&r->services.build, r->path, e));
    for (size_t i = 0; i < n; i++)
        sb_build_private_as(r->services.build, paths[i]);
    sb_build_pool(r->services.build, r->services.pool);
    return true;
}

bool
sb_steps_end(struct sb_run *r, struct sb_err *e)
{
    sb_emit_wait(r->services.emit);
    sb_pool_stage(r->services.pool, "end what is open");
    sb_facts_window(r);
    sb_pyramids_fit(r->pyramids);
    sb_finish(r);
    sb_control_forget(r->control);
    sb_pyramids_finish(r->pyramids);
    sb_control_finish(r);
    sb_counted_finish(r);
    sb_pool_stage(r->services.pool, "write sums of processes and pairs");
    struct sb_process_index all;
    sb_process_index_open(&all, r);
    sb_tables_write(r, &all);
    sb_pyramids_write(r->pyramids, &all);
    sb_process_index_close(&all);
    return sb_build_close(r->services.build, e);
}

static bool
walk(struct sb_run *r, struct sb_order *order, struct sb_err *e)
{
    struct sb_dispatch dispatch;
    sb_pass_layout(&dispatch);
    while (sb_order_next(order, e))
        sb_steps_window(r, &dispatch);
    sb_emit_wait(r->services.emit);
    return e->code == SB_OK;
}

/* Most traces state beforehand that events were lost. If only reading shows it, what was made is wrong. */
static bool
loses_after_all(const struct sb_run *r)
{
    return !r->facts.loses && sb_facts_lost_any(r);
}

static bool
write_profile(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e)
{
    SB_TRY(sb_steps_begin(r, paths, n, e));
    struct sb_order *order = sb_order_open(r);
    bool walked = walk(r, order, e), wrong = walked && loses_after_all(r);
    sb_order_close(order); /* what the end makes takes the place of the events */
    bool ok = walked && (wrong || sb_steps_end(r, e));
    if (!walked || wrong)
        sb_build_abandon(r->services.build);
    return ok;
}

/* ---- analyses ---- */

static void
sum_up(const struct sb_run *r, int64_t started, struct sb_engine_summary *s)
{
    *s = (struct sb_engine_summary){.events = r->facts.n_events,
                                    .processes = r->ids.processes,
                                    .span_ns = r->facts.untimed ? 0 : sb_rel(r, r->axis.end),
                                    .wall_ns = sb_clock_ns() - started};
    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct sb_source_info *info = sb_source_info(r->inputs.at[i].source);
        s->bytes += info->bytes;
        s->damages += info->damages;
        s->unfinished |= sb_source_unfinished(info);
        s->lost = sb_amount_sum(s->lost, info->lost_any);
        for (unsigned k = 0; k < SB_CLASSES; k++)
            s->lost = sb_amount_sum(s->lost, info->lost[k]);
    }
}

static bool
analyze_once(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e)
{
    r->services.pool = sb_pool_open(r->o->threads);
    sb_pool_log_to(r->services.pool, r->o->log);
    sb_pool_stage(r->services.pool, "open the traces");
    r->services.workers = sb_pool_threads(r->services.pool);
    SB_TRY(sb_inputs_open(r, paths, n, e) && sb_clocks_align(r, paths, n, e));
    sb_steps_open(r);
    return write_profile(r, paths, n, e);
}

static bool
analyze(struct sb_run fresh, const char *const *paths, size_t n, struct sb_engine_summary *summary,
        struct sb_err *e)
{
    int64_t started = sb_clock_ns();
    struct sb_run r = fresh;
    bool ok = analyze_once(&r, paths, n, e);
    if (ok && loses_after_all(&r)) {
        sb_steps_close(&r);
        r = fresh;
        sb_facts_lost(&r.facts);
        ok = analyze_once(&r, paths, n, e);
    }
    if (ok && summary)
        sum_up(&r, started, summary);
    sb_steps_close(&r);
    return ok;
}

bool
sb_engine_analyze(const char *const *paths, size_t n, const char *profile_path,
                  const struct sb_engine_options *o, struct sb_engine_summary *summary, struct sb_err *e)
{
    return analyze((struct sb_run){.o = o, .path = profile_path}, paths, n, summary, e);
}

bool
sb_engine_merge(const char *const *paths, size_t n, const char *profile_path,
                const struct sb_engine_options *o, struct sb_engine_summary *summary, struct sb_err *e)
{
    return analyze((struct sb_run){.o = o, .path = profile_path, .merges = true}, paths, n, summary, e);
}

/* ---- profiles on demand ---- */

bool
sb_engine_profile_path(const char *trace, char *profile_path, size_t cap)
{
    struct sb_str s = sb_str_of(trace);
    size_t slash = s.n;
    while (slash > 0 && s.p[slash - 1] != '/')
        slash--;
    size_t dot = s.n;
    while (dot > slash && s.p[dot - 1] != '.')
        dot--;
    size_t stem = dot > slash + 1 ? dot - 1 : s.n;
    return (size_t)snprintf(profile_path, cap, "%.*s.sbp", (int)stem, s.p) < cap;
}

bool
sb_engine_profile_place(const char *trace, const char *identity, char *profile_path, size_t cap, bool *fits,
                        struct sb_err *e)
{
    if (!sb_engine_profile_path(trace, profile_path, cap))
        return sb_err_set(e, SB_ERR_INPUT, "path is too long");
    enum sb_kept kept = sb_kept(profile_path, trace, identity);
    if (kept == SB_KEPT_OTHERS) { /* app.sbp is of app.sbt: app.trace gets app.trace.sbp */
        if ((size_t)snprintf(profile_path, cap, "%s.sbp", trace) >= cap)
            return sb_err_set(e, SB_ERR_INPUT, "path is too long");
        kept = sb_kept(profile_path, trace, identity);
    }
    *fits = kept == SB_KEPT_FITS;
    return true;
}

bool
sb_engine_profile_of(const char *path, const struct sb_engine_options *o, char *profile_path, size_t cap,
                     struct sb_err *e)
{
    char identity[SB_TRACE_IDENTITY_MAX];
    struct sb_engine_options kept_for = *o;
    bool fits;
    sb_trace_identity(path, identity);
    SB_TRY(sb_engine_profile_place(path, identity, profile_path, cap, &fits, e));
    kept_for.trace = identity;
    if (fits || sb_engine_analyze(&path, 1, profile_path, &kept_for, NULL, e))
        return true;
    bool cannot_write = strcmp(path, profile_path) != 0 && e && e->code == SB_ERR_SYSTEM;
    if (cannot_write && sb_str_eq(sb_str_of(e->file), sb_str_of(profile_path)))
        sb_err_advise(e, "strobe analyze TRACE -o PROFILE writes it to another folder");
    return false;
}
