#include "why/find/finding.h"
#include "why/program/elixir.h"
#include "why/run/threads.h"

/* ---- texts ---- */

const char *
sb_why_text(const struct sb_why *w, int32_t text)
{
    return sb_words(w->arena, "%.*s",
                    SB_STR_ARG(sb_elixir_name(sb_evidence_text(&w->x, text), w->elixir, w->arena)));
}

const char *
sb_why_function(const struct sb_why *w, int64_t text)
{
    return sb_words_function(w->arena, w->x.profile, text, w->elixir);
}

/* The test that the process runs, or the module of its tests; NULL: it runs none whose name is known. */
static const char *
tests_of(const struct sb_why *w, int64_t process)
{
    const struct sb_test *one = NULL;
    bool more = false;
    for (size_t i = 0; i < w->tests.n; i++) {
        const struct sb_test *t = &w->tests.at[i];
        if (t->process != process)
            continue;
        if (t->is_setup || t->name.n == 0 || t->module.n == 0 || (one && !sb_str_eq(t->module, one->module)))
            return NULL;
        more = one != NULL;
        one = t;
    }
    return !one ? NULL
           : more
               ? sb_words(w->arena, "test module %.*s", SB_STR_ARG(one->module))
               : sb_words(w->arena, "test \"%.*s\" of %.*s", SB_STR_ARG(one->name), SB_STR_ARG(one->module));
}

const char *
sb_why_who(const struct sb_why *w, int64_t process)
{
    const char *tests = tests_of(w, process);
    return tests ? sb_words(w->arena, "%s %.*s", tests,
                            SB_STR_ARG(sb_words_cell(w->x.profile, process, SB_C_process__pid)))
                 : sb_words_who(w->arena, w->x.profile, process, w->elixir);
}

const char *
sb_why_called_by(const struct sb_why *w, int64_t function)
{
    return sb_words_called_by(w->arena, &w->vm, function, w->elixir);
}

const char *
sb_why_caller(const struct sb_why *w, const struct sb_vm_caller *c)
{
    if (c->samples == 0)
        return "";
    int percent = sb_percent((int64_t)c->samples, (int64_t)c->known);
    return sb_words(w->arena, "; the caller, where known, was %s%s%s", sb_why_function(w, c->function),
                    sb_why_called_by(w, c->function),
                    percent < 100 ? sb_words(w->arena, " in %d %% of the samples", percent) : "");
}

const char *
sb_why_hot(const struct sb_why *w, int64_t id, bool is_test, int64_t *function)
{
    enum { FEWEST = 30, LEAST_PERCENT = 25 };
    uint64_t all;
    struct sb_vm_caller inner = sb_vm_caller_of(&w->vm, SB_VM_WORKS, id), own = sb_vm_own_of(&w->vm, id), c;
    sb_vm_work_of(&w->vm, id, SB_VM_WORKS, &all);
    all = id == 0 ? w->vm.n : all;
    bool is_inner = sb_vm_takes(inner.samples, all, LEAST_PERCENT) &&
                    (!is_test || !sb_vm_takes(own.samples, all, LEAST_PERCENT));
    c = is_inner ? inner : own;
    bool stands_out = all >= FEWEST && sb_vm_takes(c.samples, all, LEAST_PERCENT);
    if (function)
        *function = stands_out ? c.function : 0;
    if (!stands_out)
        return "";
    int64_t called = is_inner ? SB_NULL : sb_vm_called_most(&w->vm, c.function, id);
    const char *with = called == SB_NULL ? ", with what it called of OTP or Elixir,"
                                         : sb_words(w->arena, ", with what it called, mostly %s,",
                                                    sb_why_function(w, called));
    return sb_words(w->arena, "; %s%s took %s%d %% of the CPU time%s", sb_why_function(w, c.function),
                    is_inner ? sb_why_called_by(w, c.function) : with,
                    c.known < all && sb_percent((int64_t)c.samples, (int64_t)all) < 100 ? "at least " : "",
                    sb_percent((int64_t)c.samples, (int64_t)all), id == 0 ? "" : " of that process");
}

/* Collections of large heaps are on dirty schedulers too, and have rules of their own. */
const char *
sb_why_dirty(const struct sb_why *w, int64_t process)
{
    int64_t ns = 0, ahead = 0, named = 0;
    int32_t function = 0; /* the one with more than half of the time, if there is one */
    SB_EACH_STEP (&w->x, process, s) {
        if (!s->dirty)
            continue;
        ns += s->dur;
        function = ahead <= 0 ? s->in : function;
        ahead = s->in == function ? (ahead > 0 ? ahead : 0) + s->dur : ahead - s->dur;
    }
    if (2 * (ns - w->x.actor[process].gc_ns) < w->x.actor[process].work_ns || ns == 0)
        return "";
    SB_EACH_STEP (&w->x, process, s)
        named += s->dirty && s->in == function ? s->dur : 0;
    return sb_words(w->arena, "; %d %% of its work was on dirty schedulers%s%s",
                    sb_percent(ns, w->x.actor[process].work_ns),
                    function > 0 && 2 * named > ns ? ", most of it in " : "",
                    function > 0 && 2 * named > ns ? sb_why_text(w, function) : "");
}

int64_t
sb_why_vm_ns(const struct sb_why *w, uint64_t samples, uint64_t all)
{
    return all ? (int64_t)((double)w->x.work_ns * (double)samples / (double)all) : 0;
}

/* ---- bounds ---- */

int64_t
sb_why_headroom(const struct sb_why *w)
{
    int64_t needed = w->x.work_ns / w->x.schedulers;
    return needed < w->x.span_ns ? w->x.span_ns - needed : 0;
}

int64_t
sb_why_spread(const struct sb_why *w, int64_t ns)
{
    return ns - ns / w->x.schedulers;
}

int64_t
sb_why_serial_gain(const struct sb_why *w, int64_t busy_ns, int64_t spare_ns)
{
    int64_t law = busy_ns - w->x.work_ns / w->x.schedulers,
            most = sb_least(sb_why_spread(w, busy_ns), sb_why_headroom(w));
    return sb_least(law > spare_ns ? law : spare_ns, most);
}

int64_t
sb_why_serial_most(const struct sb_why *w, int64_t busy_ns)
{
    int64_t free = sb_level_within(&w->x.level, SB_LEVEL_SPARE, w->x.t0, w->x.t1),
            most = sb_least(sb_why_spread(w, busy_ns), sb_why_headroom(w));
    return busy_ns > w->x.work_ns / w->x.schedulers ? most : sb_least(most, free);
}

const char *
sb_why_serial_words(const struct sb_why *w, int64_t busy_ns, int64_t spare_ns)
{
    int64_t law = busy_ns - w->x.work_ns / w->x.schedulers;
    if (w->left_out > 0 || (law <= 0 && spare_ns <= 0))
        return "";
    return law > spare_ns
               ? sb_words(w->arena, "; it worked for %s, and %lld schedulers need %s for all work together",
                          sb_words_ns(w->arena, busy_ns), (long long)w->x.schedulers,
                          sb_words_ns(w->arena, busy_ns - law))
               : sb_words(w->arena, "; other schedulers were free for %s of it",
                          sb_words_ns(w->arena, spare_ns));
}

bool
sb_why_is_material(const struct sb_why *w, int64_t ns)
{
    return ns >= w->x.span_ns / SB_MATERIAL;
}

bool
sb_why_lost_cores(const struct sb_why *w)
{
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    return sb_threads_lost_cores(w->x.profile, &t);
}

/* ---- the list ---- */

bool
sb_why_has_beside(const struct sb_why *w, int64_t process, const struct sb_rule *but)
{
    for (size_t i = 0; i < w->found.n; i++)
        if (process > 0 && w->found.at[i].rule != but &&
            (w->found.at[i].process == process || w->found.at[i].with == process))
            return true;
    return false;
}

bool
sb_why_has(const struct sb_why *w, int64_t process)
{
    return sb_why_has_beside(w, process, NULL);
}

bool
sb_why_has_alike(const struct sb_why *w, int64_t process, const struct sb_rule *rule)
{
    int64_t like = w->x.actor[process].like;
    for (size_t i = 0; i < w->found.n; i++) {
        const struct sb_finding *f = &w->found.at[i];
        if ((!rule || f->rule == rule) &&
            (f->process == process || (like > 0 && w->x.actor[f->process].like == like)))
            return true;
    }
    return false;
}

static int64_t
within(int64_t v, int64_t most)
{
    return v == SB_NULL ? SB_NULL : v < 0 ? 0 : sb_least(v, most);
}

/* Both are about the process, which has not enough work for one beside the other. */
static bool
overlap_in(const struct sb_why *w, const struct sb_finding *f, const struct sb_finding *g, int64_t process)
{
    bool is_work = f->rule->of_work && g->rule->of_work && f->gain.high != SB_NULL && g->gain.high != SB_NULL;
    return process > 0 && (g->process == process || g->with == process) &&
           !(is_work && f->gain.high + g->gain.high <= w->x.actor[process].work_ns);
}

static bool
is_covered(const struct sb_why *w, const struct sb_finding *f)
{
    for (size_t i = 0; i < w->found.n; i++) {
        const struct sb_finding *g = &w->found.at[i];
        if (g->rule != f->rule && g->rule != f->beside && g->gain.ns != SB_NULL &&
            g->gain.ns >= f->gain.ns / 2 && (overlap_in(w, f, g, f->process) || overlap_in(w, f, g, f->with)))
            return true;
    }
    return false;
}

bool
sb_why_is_test(const struct sb_why *w, int64_t process)
{
    return w->tests.n > 0 && sb_is_test_framework(sb_words_cell(w->x.profile, process, SB_C_process__entry));
}

bool
sb_why_is_alone(const struct sb_why *w, int64_t process)
{
    int64_t n = 0;
    SB_EACH_PRESENT (&w->x, other)
        n += w->x.actor[other].like == w->x.actor[process].like;
    return w->x.actor[process].like == 0 || n == 1;
}

bool
sb_why_accepts(const struct sb_why *w, int64_t process)
{
    SB_EACH_STEP (&w->x, process, s)
        if (sb_is_accept(sb_evidence_text(&w->x, s->out)))
            return true;
    return false;
}

/* The process of a test bears no name of the test's, and EUnit runs all tests of a group in one. */
const char *
sb_why_test_name(const struct sb_why *w, const struct sb_test *t)
{
    struct sb_str pid = sb_words_cell(w->x.profile, t->process, SB_C_process__pid);
    const char *name = t->name.n > 0 ? sb_words(w->arena, "\"%.*s\"", SB_STR_ARG(t->name))
                                     : sb_words(w->arena, "in %.*s", SB_STR_ARG(pid)),
               *of = t->module.n > 0 ? sb_words(w->arena, " of %.*s", SB_STR_ARG(t->module)) : "";
    return t->file.n > 0
               ? sb_words(w->arena, "%s%s (%.*s:%lld)", name, of, SB_STR_ARG(t->file), (long long)t->line)
               : sb_words(w->arena, "%s%s", name, of);
}

static bool
is_entry_of(const struct sb_why *w, int64_t process, const char *const *with)
{
    struct sb_str entry = sb_words_cell(w->x.profile, process, SB_C_process__entry);
    while (*with && !sb_str_starts(entry, sb_str_of(*with)))
        with++;
    return *with != NULL;
}

bool
sb_why_is_compiler(const struct sb_why *w, int64_t process)
{
    static const char *const of[] = {"compile:", "elixir_erl_compiler:", "'Elixir.Kernel.ParallelCompiler'",
                                     NULL};
    return is_entry_of(w, process, of);
}

bool
sb_why_is_tool(const struct sb_why *w, int64_t process)
{
    static const char *const of[] = {"epp:", "'Elixir.Kernel.CLI'", "'Elixir.Mix.", NULL};
    return w->is_build && !w->x.actor[process].is_program && is_entry_of(w, process, of);
}

/* Nothing that the program could change: processes of a tool and, in a suite, those of the test framework and those
 * that load its code. */
static bool
is_of_framework(const struct sb_why *w, int64_t process)
{
    if (process > 0 && sb_why_is_tool(w, process))
        return true;
    if (process <= 0 || w->tests.n == 0)
        return false;
    enum sb_service service = w->x.actor[process].service;
    return service == SB_SERVICE_CODE || service == SB_SERVICE_LOADER ||
           sb_is_test_framework(sb_words_cell(w->x.profile, process, SB_C_process__name)) ||
           (sb_why_is_test(w, process) && !w->x.actor[process].is_program);
}

void
sb_why_keep(struct sb_why *w, struct sb_finding f)
{
    int64_t most = f.gain.ns == SB_NULL ? f.gain.high : f.gain.ns;
    if (most != SB_NULL && !sb_why_is_material(w, most))
        return;
    if (f.gain.ns == SB_NULL || !is_covered(w, &f))
        *SB_PUSH(&w->found) = f;
}

static const char *
fill_in(const struct sb_why *w, const char *text, const char *name, int64_t id)
{
    for (const char *at; (at = strstr(text, name)) != NULL;)
        text = sb_words(w->arena, "%.*s%lld%s", (int)(at - text), text, (long long)id, at + strlen(name));
    return text;
}

void
sb_why_put(struct sb_why *w, struct sb_finding f, const char *title, ...)
{
    va_list ap;
    f.rule = w->rule;
    if (is_of_framework(w, f.process) || is_of_framework(w, f.with))
        return;
    va_start(ap, title);
    f.title = sb_arena_vprintf(w->arena, title, ap).p;
    va_end(ap);
    f.evidence = fill_in(w, fill_in(w, f.evidence, "{process}", f.process), "{with}", f.with);
    if (!f.subject && f.process > 0)
        f.subject = sb_why_who(w, f.process);
    struct sb_bounded *g = &f.gain;
    /* work that is counted in CPU time later (findings.c) may be that of all schedulers */
    int64_t most = w->x.span_ns * (f.rule->of_work && sb_why_lost_cores(w) ? w->x.schedulers : 1);
    g->high = within(g->high, most);
    g->ns = within(g->ns, g->high == SB_NULL ? most : g->high);
    g->low = within(g->low, g->ns == SB_NULL ? most : g->ns);
    sb_why_keep(w, f);
}
