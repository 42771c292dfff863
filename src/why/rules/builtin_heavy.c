#include "why/find/finding.h"

SB_RULE(builtin_heavy) = {
    .name = "builtin_heavy",
    .looks_for = "a large part of the samples of the CPU (--trace all,cpu) in one kind of built-in function: "
                 "ETS, the external term format, regular expressions, binaries, lists or persistent terms",
    .erlang = "call the built-in function less often from the function that is named: keep what it returned, "
              "read single elements by ets:lookup_element, compile a regular expression once by re:compile, "
              "encode a term once, look up in a map instead of a long list, add to the head of a list, and "
              "change persistent terms seldom",
    .elixir = "call the built-in function less often from the function that is named: keep what it returned, "
              "read single elements by :ets.lookup_element, write a regular expression as ~r outside of the "
              "function, encode a term once, look up in a map instead of a long list, add to the head of a "
              "list, and change persistent terms seldom",
    .of_work = true,
    .find = find,
};

extern const struct sb_rule sb_rule_lock_contention;

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

static void
look(struct sb_why *w, enum sb_vm_work work, const char *does)
{
    struct sb_vm_caller c = sb_vm_caller_of(&w->vm, work, 0);
    int64_t high = sb_why_vm_ns(w, w->vm.of[work], w->vm.n);
    if (c.samples == 0 || 100 * w->vm.of[work] < LEAST_PERCENT * w->vm.n || !sb_why_is_material(w, high))
        return;
    struct sb_finding f = {
        .subject = sb_why_text(w, (int32_t)c.function),
        .gain = {SB_NULL, SB_NULL, high},
        .confidence = "high",
        .evidence = "SELECT function, self, total, processes FROM cpu_function LIMIT 20",
    };
    sb_why_put(w, f, "%s took %d %% of the CPU time of processes%s", does,
               sb_percent((int64_t)w->vm.of[work], (int64_t)w->vm.n), sb_why_caller(w, &c));
}

static void
find(struct sb_why *w)
{
    if (!is_locked(w))
        look(w, SB_VM_ETS, "ETS");
    look(w, SB_VM_EXTERNAL, "the external term format");
    look(w, SB_VM_REGEX, "regular expressions");
    look(w, SB_VM_BINARY, "built-in functions of binaries");
    look(w, SB_VM_LIST, "built-in functions of lists (search, ++, --, length)");
    look(w, SB_VM_PERSISTENT, "built-in functions of persistent terms");
}
