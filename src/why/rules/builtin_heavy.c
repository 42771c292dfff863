#include "why/find/finding.h"

SB_RULE(builtin_heavy) = {
    .name = "builtin_heavy",
    .looks_for = "a large part of the samples of the CPU (--trace all,cpu) in one kind of built-in function: "
                 "ETS, the external term format, regular expressions, binaries, lists or persistent terms",
    .erlang =
        "call the built-in function less often from the function that is named, and keep what it returned",
    .of_work = true,
    .of_requests = true,
    .find = find,
};
static const struct sb_cure of_ets = {
    .where = "it is ETS",
    .erlang = "read only what is needed (ets:lookup_element, a key in place of match or select), put large "
              "terms that seldom change into persistent_term, and keep what a lookup returned",
    .elixir = "read only what is needed (:ets.lookup_element, a key in place of match or select), put large "
              "terms that seldom change into :persistent_term, and keep what a lookup returned",
};
static const struct sb_cure of_external = {
    .where = "it is the external term format",
    .erlang = "encode a term once and keep the binary, or keep the term itself; encode less of it",
};
static const struct sb_cure of_regex = {
    .where = "it is regular expressions",
    .erlang = "compile a regular expression once by re:compile/1, or use binary:match, binary:split or "
              "pattern matching",
    .elixir = "write the regular expression as ~r outside of the function, or use String functions or "
              "pattern matching on binaries",
};
static const struct sb_cure of_lists = {
    .where = "it is lists",
    .erlang = "look up in a map or a set instead of a long list, add to the head of a list, and reverse it "
              "at the end",
};
static const struct sb_cure of_persistent = {
    .where = "it is persistent terms",
    .erlang = "change persistent terms seldom: each change of one looks for it in all processes; what "
              "changes belongs into ETS",
};

extern const struct sb_rule sb_rule_gc_heavy, sb_rule_lock_contention;

enum { LEAST_PERCENT = 25 };

/* Most of what a lock takes is within the built-in function that wants it. */
static bool
is_locked(const struct sb_why *w)
{
    for (size_t i = 0; i < w->found.n; i++)
        if (w->found.at[i].rule == &sb_rule_lock_contention)
            return true;
    return false;
}

struct cost {
    int64_t ns;       /* with the collections, of no process more than it worked */
    int64_t gc_ns;    /* collections of the processes that it is a large part of */
    uint64_t unknown; /* samples of any work, in functions without a name */
};

/* The heap needs another cure then. */
static void
name_cause(struct sb_why *w, int64_t process, const char *does)
{
    for (size_t i = 0; i < w->found.n; i++) {
        struct sb_finding *f = &w->found.at[i];
        if (f->process != process || f->rule != &sb_rule_gc_heavy)
            continue;
        f->gain = (struct sb_bounded){0, SB_NULL, f->gain.high};
        f->title = sb_words(w->arena, "%s; garbage of %s may be the cause (builtin_heavy)", f->title, does);
    }
}

/* The work of each process by the share of its own samples, but at least by that of all samples: few of many short
 * processes have one. Which collections are of its garbage is unknown, so all of such a process count. */
static struct cost
cost_of(struct sb_why *w, enum sb_vm_work work, const char *does)
{
    struct cost c = {0, 0, 0};
    struct {
        double of, gc, all; /* what has no name may be of that work */
    } *at = sb_zeroed_or_die(w->x.n_actors, sizeof *at);
    for (size_t i = 0; i < w->vm.all->n_samples; i++) {
        const struct sb_cpu_sample *s = &w->vm.all->sample[i];
        if (!sb_vm_counts(&w->vm, s) || s->process >= w->x.n_actors)
            continue;
        enum sb_vm_work is = sb_vm_sample_work(&w->vm, s);
        bool has_no_name = is == SB_VM_OTHER && w->vm.function[s->stack] == SB_NULL;
        c.unknown += has_no_name;
        at[s->process].of += is == work || has_no_name;
        at[s->process].gc += is == SB_VM_GC;
        at[s->process].all++;
    }
    for (int64_t id = 1; id < w->x.n_actors; id++) {
        const struct sb_actor *a = &w->x.actor[id];
        if (at[id].of == 0)
            continue;
        bool makes = at[id].gc > 0 && 100 * at[id].of >= LEAST_PERCENT * (at[id].all - at[id].gc);
        int64_t gc_ns = makes ? a->gc_ns : 0;
        c.gc_ns += gc_ns;
        c.ns += sb_least((int64_t)((double)a->work_ns * at[id].of / at[id].all) + gc_ns, a->work_ns);
        if (makes)
            name_cause(w, id, does);
    }
    free(at);
    double share = (double)(w->vm.of[work] + c.unknown) / (double)w->vm.n;
    int64_t all = (int64_t)((double)w->x.work_ns * share);
    c.ns = c.ns > all ? c.ns : all;
    return c;
}

static void
look(struct sb_why *w, enum sb_vm_work work, const char *does, const struct sb_cure *cure)
{
    struct sb_vm_caller caller = sb_vm_caller_of(&w->vm, work, 0);
    if (caller.samples == 0 || !sb_vm_takes(w->vm.of[work], w->vm.n, LEAST_PERCENT))
        return;
    struct cost c = cost_of(w, work, does);
    struct sb_finding f = {
        .subject = sb_why_text(w, (int32_t)caller.function),
        .gain = {SB_NULL, SB_NULL, c.ns},
        .confidence = "high",
        .cure = cure,
        .evidence = "SELECT function, self, total, processes FROM cpu_function LIMIT 20",
    };
    sb_why_put(
        w, f, "%s took %s%d %% of the CPU time of processes%s%s", does,
        4 * c.unknown > w->vm.of[work] ? "at least " : "",
        sb_percent((int64_t)w->vm.of[work], (int64_t)w->vm.n), sb_why_caller(w, &caller),
        c.gc_ns > c.ns / 10
            ? sb_words(
                  w->arena,
                  "; the bound includes the collections of these processes, %s, which may be of its garbage",
                  sb_words_ns(w->arena, c.gc_ns))
            : "");
}

static void
find(struct sb_why *w)
{
    if (!is_locked(w))
        look(w, SB_VM_ETS, "ETS", &of_ets);
    look(w, SB_VM_EXTERNAL, "the external term format", &of_external);
    look(w, SB_VM_REGEX, "regular expressions", &of_regex);
    look(w, SB_VM_BINARY, "built-in functions of binaries", NULL);
    look(w, SB_VM_LIST, "built-in functions of lists (search, ++, --, length)", &of_lists);
    look(w, SB_VM_PERSISTENT, "built-in functions of persistent terms", &of_persistent);
}
