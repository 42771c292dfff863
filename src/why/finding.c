#include "why/finding.h"
#include "why/elixir.h"
#include "why/on_node.h"
#include "profile/left_out.h"
#include "profile/timeline.h"

#define RULE(name) extern const struct sb_rule sb_rule_##name;
#include "why/rules.def"
#undef RULE
const struct sb_rule *const sb_rules[] = {
#define RULE(name) &sb_rule_##name,
#include "why/rules.def"
#undef RULE
};
const size_t sb_n_rules = sizeof sb_rules / sizeof *sb_rules;

/* ---- texts ---- */

struct sb_str
sb_why_printf(const struct sb_why *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct sb_str s = sb_arena_vprintf(w->arena, fmt, ap);
    va_end(ap);
    return s;
}

static struct sb_str
human(const struct sb_why *w, int64_t v, enum sb_unit u)
{
    char text[64];
    return sb_arena_str(w->arena, (struct sb_str){text, sb_human(text, sizeof text, v, u)});
}

struct sb_str
sb_why_ns(const struct sb_why *w, int64_t ns)
{
    return human(w, ns, SB_U_NS);
}

struct sb_str
sb_why_bytes(const struct sb_why *w, int64_t bytes)
{
    return human(w, bytes, SB_U_BYTES);
}

struct sb_str
sb_why_count(const struct sb_why *w, int64_t n)
{
    return human(w, n, SB_U_COUNT);
}

struct sb_str
sb_why_text(const struct sb_why *w, int32_t text)
{
    return sb_elixir_name(sb_evidence_text(&w->x, text), false, w->arena);
}

static bool
is_fun(struct sb_str mfa)
{
    size_t colon = sb_str_find(mfa, ':');
    return colon + 2 < mfa.n && mfa.p[colon + 1] == '\'' && mfa.p[colon + 2] == '-';
}

/* The function of the program that it was seen in most; nothing if it ran none. */
static struct sb_str
seen_most(const struct sb_why *w, int64_t process, bool funs)
{
    const struct sb_actor *a = &w->x.actor[process];
    int32_t best = 0;
    int64_t lead = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        int32_t out = w->x.step[a->first + i].out;
        struct sb_str mfa = sb_evidence_text(&w->x, out);
        if (out <= 0 || (out != best && (sb_is_otp(mfa) || (!funs && is_fun(mfa)))))
            continue;
        lead += out == best ? 1 : -1;
        if (lead < 0) {
            best = out;
            lead = 1;
        }
    }
    return sb_evidence_text(&w->x, best);
}

static struct sb_str
program_function(const struct sb_why *w, int64_t process)
{
    struct sb_str named = seen_most(w, process, false);
    return named.n > 0 ? named : seen_most(w, process, true);
}

static struct sb_str
cell(const struct sb_why *w, unsigned column, int64_t process)
{
    return sb_profile_text(w->x.profile,
                           sb_profile_cell(w->x.profile, SB_T_process, column, (uint64_t)process - 1));
}

/* A name, a label, the entry, or, if that is code of OTP, what the process does for the program. */
struct sb_str
sb_why_who(const struct sb_why *w, int64_t process)
{
    static const unsigned col[] = {SB_C_process__name, SB_C_process__label, SB_C_process__entry,
                                   SB_C_process__spawn_mfa};
    struct sb_str pid = sb_why_printf(w, "%.*s%.*s", SB_STR_ARG(cell(w, SB_C_process__pid, process)),
                                      SB_STR_ARG(sb_on_node(w->x.profile, process, w->arena)));
    for (size_t i = 0; i < sizeof col / sizeof col[0]; i++) {
        struct sb_str s = cell(w, col[i], process);
        if (i > 1 && sb_is_otp(s) && w->x.actor[process].is_program) {
            struct sb_str does = program_function(w, process);
            s = does.n > 0 ? does : s;
        }
        if (s.n > 0)
            return sb_why_printf(w, "%.*s %.*s", SB_STR_ARG(sb_elixir_name(s, false, w->arena)),
                                 SB_STR_ARG(pid));
    }
    return pid;
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

struct sb_str
sb_why_serial_words(const struct sb_why *w, int64_t busy_ns, int64_t spare_ns)
{
    int64_t law = busy_ns - w->x.work_ns / w->x.schedulers;
    if (w->left_out > 0 || (law <= 0 && spare_ns <= 0))
        return SB_STR("");
    return law > spare_ns
               ? sb_why_printf(w, "; it worked for %.*s, and %lld schedulers need %.*s for all work together",
                               SB_STR_ARG(sb_why_ns(w, busy_ns)), (long long)w->x.schedulers,
                               SB_STR_ARG(sb_why_ns(w, busy_ns - law)))
               : sb_why_printf(w, "; other schedulers were free for %.*s of it",
                               SB_STR_ARG(sb_why_ns(w, spare_ns)));
}

bool
sb_why_is_material(const struct sb_why *w, int64_t ns)
{
    return ns >= w->x.span_ns / SB_MATERIAL;
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

static int64_t
within(int64_t v, int64_t most)
{
    return v == SB_NULL ? SB_NULL : v < 0 ? 0 : sb_least(v, most);
}

static bool
is_covered(const struct sb_why *w, const struct sb_finding *f)
{
    for (size_t i = 0; i < w->found.n; i++) {
        const struct sb_finding *g = &w->found.at[i];
        if (f->process > 0 && (g->process == f->process || g->with == f->process) && g->rule != f->rule &&
            g->rule != f->beside && g->gain_ns != SB_NULL && g->gain_ns >= f->gain_ns / 2)
            return true;
    }
    return false;
}

void
sb_why_put(struct sb_why *w, struct sb_finding f)
{
    f.rule = w->rule;
    if (w->x.is_cut)
        f.title = sb_why_printf(w, "in the first %.*s of the program: %.*s",
                                SB_STR_ARG(sb_why_ns(w, w->x.span_ns)), SB_STR_ARG(f.title));
    f.high_ns = within(f.high_ns, w->x.span_ns);
    f.gain_ns = within(f.gain_ns, f.high_ns == SB_NULL ? w->x.span_ns : f.high_ns);
    f.low_ns = within(f.low_ns, f.gain_ns == SB_NULL ? w->x.span_ns : f.gain_ns);
    if (f.gain_ns == SB_NULL || (sb_why_is_material(w, f.gain_ns) && !is_covered(w, &f)))
        *SB_PUSH(&w->found) = f;
}

/* The order of the rules decides between equal gains. */
static int
by_gain(const void *p, const void *q)
{
    const struct sb_finding *a = p, *b = q;
    if (a->gain_ns != b->gain_ns)
        return (a->gain_ns < b->gain_ns) - (a->gain_ns > b->gain_ns);
    if (a->high_ns != b->high_ns)
        return (a->high_ns < b->high_ns) - (a->high_ns > b->high_ns);
    size_t i = 0;
    while (sb_rules[i] != a->rule && sb_rules[i] != b->rule)
        i++;
    return a->rule == b->rule ? sb_str_cmp(a->subject, b->subject) : sb_rules[i] == a->rule ? -1 : 1;
}

/* The schedulers that seem free may have run processes that were left out, so the gains are upper bounds. */
static void
bound_gains(struct sb_why *w)
{
    for (size_t i = 0; i < w->found.n; i++) {
        struct sb_finding *f = &w->found.at[i];
        if (f->gain_ns == SB_NULL)
            continue;
        f->high_ns = f->high_ns == SB_NULL ? f->gain_ns : f->high_ns;
        f->gain_ns = SB_NULL;
        f->low_ns = 0;
        f->confidence = "low";
    }
}

bool
sb_why_find(const struct sb_profile *p, struct sb_arena *a, struct sb_why *w)
{
    *w = (struct sb_why){.arena = a};
    if (!sb_evidence_find(p, a, &w->x))
        return false;
    sb_awaits_find(&w->x, &w->awaits);
    w->left_out = sb_left_out_find(p, a)[0];
    for (size_t i = 0; i < sb_n_rules; i++) {
        w->rule = sb_rules[i];
        if (w->left_out == 0 || !w->rule->needs_all)
            w->rule->find(w);
    }
    if (w->left_out > 0)
        bound_gains(w);
    return true;
}

void
sb_why_rank(struct sb_why *w)
{
    if (w->found.n > 1)
        qsort(w->found.at, w->found.n, sizeof *w->found.at, by_gain);
}

void
sb_why_close(struct sb_why *w)
{
    sb_awaits_close(&w->awaits);
    sb_evidence_close(&w->x);
    SB_VEC_FREE(&w->found);
}
