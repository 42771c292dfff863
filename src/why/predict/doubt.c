#include "why/predict/doubt.h"
#include "base/order.h"
#include "base/vec.h"
#include "profile/scan_row.h"
#include "why/run/ets_writes.h"
#include "why/run/threads.h"
#include <stdlib.h>

#define DOUBT(name, text) [SB_DOUBT_##name] = text,
const char *const sb_doubt_texts[SB_N_DOUBTS] = {
#include "why/predict/doubts.def"
};

struct sb_str
sb_exposure_name(enum sb_exposure x)
{
    static const char *const name[] = {NULL, "low", "some", "high"};
    return sb_str_of(name[x]);
}

struct sums {
    int64_t sends, receives;
    bool knows_messages;
};

static int64_t
known(int64_t v)
{
    return v > 0 ? v : 0;
}

/* Timeouts that ended no wait are those of `receive after 0`. */
static int64_t *
waits_for_time(const struct sb_profile *p)
{
    uint64_t n = sb_profile_rows(p, SB_T_process);
    int64_t *of = sb_zeroed_or_die(n + 1, sizeof *of), timeout = sb_profile_find_text(p, SB_STR("timeout"));
    SB_SCAN(s, p, gap, process, cause);
    for (size_t i = 0; timeout != SB_NULL && sb_scan_row(&s, &i); i++)
        if (s.value[cause][i] == timeout && s.value[process][i] >= 1 && (uint64_t)s.value[process][i] <= n)
            of[s.value[process][i]]++;
    return of;
}

static struct sums
sum_up(const struct sb_profile *p, const struct sb_ops *o, int64_t *polling_ns)
{
    enum { MANY = 100, TIMES_RECEIVES = 10 };
    struct sums sums = {0};
    int64_t *waits = waits_for_time(p);
    SB_SCAN(s, p, process, sends, receives, timeouts, run_ns);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t received = known(s.value[receives][i]),
                polls = known(s.value[timeouts][i]) - waits[s.row[i] + 1];
        sums.knows_messages |= s.value[sends][i] != SB_NULL;
        __builtin_add_overflow(sums.sends, known(s.value[sends][i]), &sums.sends);
        __builtin_add_overflow(sums.receives, received, &sums.receives);
        if (polls > MANY && polls / TIMES_RECEIVES > received)
            *polling_ns += (int64_t)(o->scale[s.row[i] + 1] * (double)known(s.value[run_ns][i]));
    }
    free(waits);
    return sums;
}

/* Samples of the CPU tell nothing of the order of work. */
static bool
has_losses(const struct sb_profile *p)
{
    bool lost = false;
    int64_t cpu = sb_profile_find_text(p, SB_STR("cpu"));
    SB_SCAN(s, p, loss, events, class);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        lost |= s.value[events][i] != 0 && (cpu == SB_NULL || s.value[class][i] != cpu);
    return lost;
}

/* Which nodes have a process that works, by node row + 1. */
static bool *
working_nodes(const struct sb_profile *p, const struct sb_ops *o, const struct sb_accounts *x)
{
    bool *works = sb_zeroed_or_die(x->n_nodes + 1, sizeof *works);
    for (uint64_t id = 1; id <= o->n_processes; id++)
        if (!works[x->node_of[id]] && (o->from[id + 1] > o->from[id] || o->rest_ns[id] > 0))
            works[x->node_of[id]] = SB_CELL(p, process, slices, id - 1) > 0;
    return works;
}

/* Nodes of which a slice is known. */
static uint32_t
judge_nodes(const struct sb_profile *p, const struct sb_ops *o, const struct sb_accounts *x,
            struct sb_doubts *d)
{
    uint32_t nodes = 0;
    bool *works = working_nodes(p, o, x);
    for (uint64_t i = 0; i < x->n_nodes; i++) {
        const struct sb_account *a = &x->node[i];
        if (!works[i + 1])
            continue;
        double work = (double)(a->ns[SB_PART_WORK] + a->ns[SB_PART_GC] + a->ns[SB_PART_TRACING]);
        nodes++;
        d->tracing = work > 0 ? (double)a->ns[SB_PART_TRACING] / work : 0;
        d->bits |= d->tracing > 0.2 ? 1u << SB_DOUBT_HEAVY : 0;
        d->schedulers = a->schedulers > 0 ? a->schedulers : SB_NULL;
        d->startup_ns = a->schedulers > 0 ? a->ns[SB_PART_STARTUP] / a->schedulers : SB_NULL;
        d->bits |= a->knows_tracing ? 0 : 1u << SB_DOUBT_TRACED;
        d->bits |= (double)a->taken_ns > work / 5 ? 1u << SB_DOUBT_BUSY : 0;
    }
    free(works);
    return nodes;
}

/* The share of the work that its messages can cost: each send and each wait about 1 us. */
static enum sb_exposure
exposure_of(const struct sb_ops *o)
{
    enum { EACH_NS = 1000 };
    double index = o->work_ns > 0 ? (double)o->n_receives * (double)EACH_NS / (double)o->work_ns : 0;
    return index >= 0.5 ? SB_EXPOSURE_HIGH : index >= 0.1 ? SB_EXPOSURE_SOME : SB_EXPOSURE_LOW;
}

/* What one scheduler cannot show: waits for locks. More schedulers show them as threads that spin. A loop with one
 * write uses up its time in other functions nearly always: with 4 % of its time in writes to one key, a program was
 * twenty times slower on two schedulers. */
static void
judge_locks(const struct sb_profile *p, struct sb_doubts *d)
{
    static const double some = 0.02, high = 0.3, locks = 0.1;
    bool has_samples = d->shared.samples > 0, is_one = d->schedulers == 1;
    double writes = is_one && !has_samples ? sb_ets_write_share(p) : 0;
    d->bits |= is_one ? 1u << SB_DOUBT_HIDDEN : 0;
    if (!is_one && (has_samples ? d->shared.locks >= locks : sb_threads_spin(p))) {
        d->bits |= 1u << SB_DOUBT_LOCKS;
        d->exposure = SB_EXPOSURE_HIGH;
    } else if (writes >= some) {
        d->bits |= 1u << SB_DOUBT_WRITES;
        d->exposure = writes >= high                   ? SB_EXPOSURE_HIGH
                      : d->exposure > SB_EXPOSURE_SOME ? d->exposure
                                                       : SB_EXPOSURE_SOME;
    }
}

/* ---- as many at a time as schedulers ---- */

enum { FEW_SCHEDULERS = 64 };

struct life {
    int64_t parent, group, start, end, run_ns;
};

SB_ORDER(by_family, struct life, SB_UP(parent) ?: SB_UP(group) ?: SB_UP(start))

/* True if at most so many of them lived at a time, and so many did. */
static bool
are_at_a_time(const struct life *at, size_t n, int64_t most)
{
    int64_t end[FEW_SCHEDULERS + 1], alive = 0, peak = 0;
    for (size_t i = 0; i < n && alive <= most; i++) {
        int64_t stay = 0;
        for (int64_t k = 0; k < alive; k++)
            if (end[k] > at[i].start)
                end[stay++] = end[k];
        end[stay] = at[i].end;
        alive = stay + 1;
        peak = alive > peak ? alive : peak;
    }
    return peak == most;
}

/* Of a family that did much of the work. */
static bool
starts_as_many(const struct sb_profile *p, int64_t schedulers, int64_t work_ns)
{
    enum { FEWEST = 10, TIMES = 4 };
    SB_SCOPED SB_VEC(struct life) v = {0};
    bool found = false;
    if (schedulers < 1 || schedulers > FEW_SCHEDULERS)
        return false;
    SB_SCAN(s, p, process, parent, group_id, start, end, run_ns);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (s.value[parent][i] != SB_NULL && s.value[start][i] != SB_NULL && s.value[end][i] != SB_NULL)
            *SB_PUSH(&v) = (struct life){s.value[parent][i], s.value[group_id][i], s.value[start][i],
                                         s.value[end][i], known(s.value[run_ns][i])};
    SB_SORT(&v, by_family);
    for (size_t i = 0, to; i < v.n && !found; i = to) {
        double run = 0;
        for (to = i; to < v.n && v.at[to].parent == v.at[i].parent && v.at[to].group == v.at[i].group; to++)
            run += (double)v.at[to].run_ns;
        found = to - i >= FEWEST && (int64_t)(to - i) >= TIMES * schedulers && 4 * run > (double)work_ns &&
                are_at_a_time(v.at + i, to - i, schedulers);
    }
    return found;
}

struct sb_doubts
sb_doubts_of(const struct sb_profile *p, const struct sb_ops *o, const struct sb_accounts *x)
{
    enum { MANY_MESSAGES = 5000 };
    struct sb_doubts d = {
        .schedulers = SB_NULL, .startup_ns = SB_NULL, .exposure = exposure_of(o), .shared = sb_shared_of(p)};
    struct sums sums = sum_up(p, o, &d.polling_ns);
    bool silent = !sums.knows_messages || (sums.sends > 0 && sums.receives == 0), lost = has_losses(p);
    d.bits |= judge_nodes(p, o, x, &d) > 1 ? 1u << SB_DOUBT_NODES : 0;
    d.bits |= sb_profile_largest(p, SB_T_process, SB_C_process__peak_mailbox) > MANY_MESSAGES
                  ? 1u << SB_DOUBT_FLOODED
                  : 0;
    d.bits |= starts_as_many(p, d.schedulers, o->work_ns) ? 1u << SB_DOUBT_STARTED : 0;
    d.bits |= lost ? 1u << SB_DOUBT_LOST : 0;
    d.bits |= silent ? 1u << SB_DOUBT_SILENT : 0;
    d.bits |= d.polling_ns > o->work_ns / 20 ? 1u << SB_DOUBT_POLLS : 0;
    judge_locks(p, &d);
    if (lost || silent)
        d.exposure = SB_EXPOSURE_UNKNOWN;
    return d;
}
