#include "why/find/finding.h"
#include "why/run/threads.h"

SB_RULE(lock_contention) = {
    .name = "lock_contention",
    .looks_for = "samples of the CPU in locks of the VM (--trace all,cpu); without samples, schedulers that "
                 "are preempted far more often than their work explains: they spin on a lock of the VM",
    .erlang = "create the ETS table with {write_concurrency, auto}, use counters with write_concurrency, or "
              "one table a process; compare with a run with +S 1",
    .elixir = "create the ETS table with write_concurrency: :auto, use :counters with :write_concurrency, or "
              "one table a process; compare with a run with +S 1",
    .serializes = true,
    .needs_all = true,
    .of_work = true,
    .find = find,
};

enum {
    LEAST_PERCENT = 10,      /* of the CPU time, in waits for locks */
    LEAST_LOCKS_PERCENT = 50 /* in functions of locks: those that nobody else wants take less */
};

static void
find_samples(struct sb_why *w)
{
    struct sb_vm_caller c = sb_vm_caller_of(&w->vm, SB_VM_LOCK, 0);
    int64_t ns = sb_why_vm_ns(w, w->vm.in_locks, w->vm.n);
    if (w->x.schedulers < 2 || (!sb_vm_takes(w->vm.of[SB_VM_LOCK], w->vm.n, LEAST_PERCENT) &&
                                !sb_vm_takes(w->vm.in_locks, w->vm.n, LEAST_LOCKS_PERCENT)))
        return;
    struct sb_finding f = {
        .subject = c.samples ? sb_why_text(w, (int32_t)c.function) : "schedulers",
        .gain = {0, ns / w->x.schedulers, w->x.work_ns / w->x.schedulers},
        .confidence = "high",
        .evidence = "SELECT function, self, total, processes FROM cpu_function LIMIT 20",
    };
    sb_why_put(w, f, "locks of the VM took %d %% of the CPU time of processes, waits for them %d %%%s",
               sb_percent((int64_t)w->vm.in_locks, (int64_t)w->vm.n),
               sb_percent((int64_t)w->vm.of[SB_VM_LOCK], (int64_t)w->vm.n), sb_why_caller(w, &c));
}

static void
find_switches(struct sb_why *w)
{
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    int64_t most = 0;
    SB_EACH_PRESENT (&w->x, id)
        if (most == 0 || w->x.actor[id].work_ns > w->x.actor[most].work_ns)
            most = id;
    if (most == 0 || !sb_threads_spin(w->x.profile))
        return;
    struct sb_finding f = {
        .subject = sb_why_text(w, w->x.actor[most].entry == SB_NULL ? 0 : (int32_t)w->x.actor[most].entry),
        .gain = {SB_NULL, SB_NULL, w->x.work_ns / w->x.schedulers},
        .confidence = "medium",
        .evidence = "SELECT name, cpu_ns, voluntary, involuntary FROM thread WHERE kind = 'normal'",
    };
    sb_why_put(w, f,
               "schedulers lost their core %s times in each second of CPU time, as they do when they spin on "
               "a lock; most work was in %s",
               sb_words_count(w->arena, (int64_t)((double)t.involuntary * 1e9 / (double)t.cpu_ns)),
               sb_why_who(w, most));
}

static void
find(struct sb_why *w)
{
    if (w->vm.n > 0)
        find_samples(w);
    else
        find_switches(w);
}
