#include "why/find/finding.h"

SB_RULE(saturated) = {
    .name = "saturated",
    .looks_for = "all schedulers at work nearly all the time: less work helps, and more cores may",
    .erlang = "make the functions with the most work cheaper: strobe record --trace all,cpu names them; "
              "strobe scale measures whether more cores help",
    .about_run = true,
    .find = find,
};

enum { FREE_PERCENT = 15 /* of the schedulers' time, at most */, LEAST_PERCENT = 10 };

/* True if processes that keep schedulers from working are worth more than what little time was free. */
static bool
is_serial(const struct sb_why *w)
{
    for (size_t i = 0; i < w->found.n; i++) {
        const struct sb_finding *f = &w->found.at[i];
        if (f->rule->serializes && (f->gain.ns == SB_NULL || 100 * f->gain.ns > FREE_PERCENT * w->x.span_ns))
            return true;
    }
    return false;
}

/* A process runs on one scheduler: with most of all work, it leaves the others without, however many messages were
 * ready while other programs took the cores. */
static bool
is_one_process(const struct sb_why *w)
{
    int64_t most = 0;
    SB_EACH_PRESENT (&w->x, id)
        most = w->x.actor[id].work_ns > most ? w->x.actor[id].work_ns : most;
    return 100 * (double)w->x.work_ns < (100 - FREE_PERCENT) * (double)w->x.schedulers * (double)most;
}

/* The processes that were started alike and worked most together. */
static const char *
worked_most(const struct sb_why *w)
{
    uint64_t groups = sb_profile_rows(w->x.profile, SB_T_process_group) + 1, best = 0;
    int64_t *ns = SB_NEW_N(w->arena, int64_t, groups), *n = SB_NEW_N(w->arena, int64_t, groups), most = 0;
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->group < 1 || (uint64_t)a->group >= groups || a->work_ns <= 0)
            continue;
        ns[a->group] += a->work_ns;
        n[a->group]++;
        best = ns[a->group] > ns[best] ? (uint64_t)a->group : best;
    }
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (best > 0 && a->group == (int64_t)best && (most == 0 || a->work_ns > w->x.actor[most].work_ns))
            most = id;
    }
    if (most == 0 || 20 * ns[best] < w->x.work_ns) /* many did the same */
        return "";
    const char *who = sb_why_who(w, most),
               *share = sb_words(w->arena, "did %d %% of the work", sb_percent(ns[best], w->x.work_ns));
    return n[best] > 1 ? sb_words(w->arena, "; %s processes started alike, such as %s, %s",
                                  sb_words_count(w->arena, n[best]), who, share)
                       : sb_words(w->arena, "; %s %s", who, share);
}

static bool
stands_out(const struct sb_why *w, const struct sb_vm_caller *c)
{
    return c->samples > 0 && 2 * c->known >= w->vm.n && sb_vm_takes(c->samples, w->vm.n, LEAST_PERCENT);
}

/* Of what OTP does in a call, the program can change only who calls: then it is a function of its own. */
static struct sb_vm_caller
hottest(const struct sb_why *w)
{
    struct sb_vm_caller c = sb_vm_caller_of(&w->vm, SB_VM_WORKS, 0), own = sb_vm_own_of(&w->vm, 0);
    if (c.samples > 0 && own.samples > 0 && sb_is_call(sb_profile_text(w->x.profile, c.function)))
        c = (struct sb_vm_caller){own.function, own.samples, c.known};
    return c;
}

/* The function of Erlang with most samples, or why it is unknown what the schedulers did. */
static const char *
what_to_make_faster(const struct sb_why *w, const struct sb_vm_caller *c)
{
    if (c->samples == 0)
        return "work includes waits for locks of the VM and for memory, which a trace does not show";
    uint64_t unknown = w->vm.n - c->known;
    bool is_least = unknown > c->samples;
    int locks = sb_percent((int64_t)w->vm.of[SB_VM_LOCK], (int64_t)w->vm.n);
    const char *first =
        stands_out(w, c) ? "the function to make faster"
        : 2 * unknown > w->vm.n
            ? sb_words(w->arena, "which function takes most is unknown for %d %% of the CPU time; the first",
                       sb_percent((int64_t)unknown, (int64_t)w->vm.n))
            : "no function stands out; the first";
    return sb_words(w->arena,
                    "%s is %s%s: it, and what the VM did for it, took %s%d %% of the CPU time of processes%s",
                    first, sb_why_function(w, c->function), sb_why_called_by(w, c->function),
                    is_least ? "at least " : "", sb_percent((int64_t)c->samples, (int64_t)w->vm.n),
                    locks > 0 ? sb_words(w->arena, ", waits for locks of the VM %d %%", locks) : "");
}

static void
find(struct sb_why *w)
{
    int64_t free = sb_level_within(&w->x.level, SB_LEVEL_SPARE, w->x.t0, w->x.t1), gc = 0;
    if (w->x.schedulers < 2 || 100 * free > FREE_PERCENT * w->x.span_ns || is_serial(w) || is_one_process(w))
        return;
    SB_EACH_PRESENT (&w->x, id)
        gc += w->x.actor[id].gc_ns;
    struct sb_vm_caller c = hottest(w);
    bool lost = sb_why_lost_cores(w); /* work that is ready then fills more of the time */
    struct sb_finding f = {
        .subject = "schedulers",
        .gain = {SB_NULL, SB_NULL, SB_NULL},
        .faster = stands_out(w, &c) && !lost ? c.function : 0,
        .confidence = lost ? "low" : "high",
        .evidence = "SELECT entry, processes, run_ns, gc_ns FROM process_group ORDER BY run_ns DESC LIMIT 10",
    };
    sb_why_put(
        w, f, "the work at hand would fill the %lld schedulers for %d %% of their time%s%s%s; %s",
        (long long)w->x.schedulers, sb_percent(w->x.span_ns - free, w->x.span_ns),
        lost ? " (less if other programs left them the cores)" : "", worked_most(w),
        /* of samples the summary tells it, beside the functions */
        c.samples > 0 || 20 * gc < w->x.work_ns
            ? ""
            : sb_words(w->arena, "; %d %% of the work was garbage collection", sb_percent(gc, w->x.work_ns)),
        what_to_make_faster(w, &c));
}
