#include "why/predict/what_if.h"
#include "profile/scan_row.h"
#include "why/program/elixir.h"
#include "why/run/vm_work.h"
#include <stdlib.h>

struct reading {
    struct sb_what_if *w;
    const struct sb_profile *p;
    struct sb_arena *a;
    uint64_t n_processes;
};

static bool
read_cores(struct sb_what_if *w, struct sb_str list, struct sb_err *e)
{
    if (list.n == 0)
        list = SB_STR("1,2,4,8,16,32,64");
    while (list.n > 0) {
        uint64_t n;
        struct sb_str one = sb_str_trim(sb_str_cut(&list, ','));
        if (!sb_str_to_u64(one, &n) || n < 1 || n > SB_FORECAST_MOST_CORES || w->n_cores == SB_FORECAST_CORES)
            return sb_err_set(e, SB_ERR_USAGE,
                              "cores are up to %d numbers from 1 to %d, as in 1,2,4; not '%.*s'",
                              SB_FORECAST_CORES, SB_FORECAST_MOST_CORES, SB_STR_ARG(one));
        w->cores[w->n_cores++] = (uint32_t)n;
    }
    return true;
}

/* ---- names ---- */

/* "name <0.85.0>", as reports write a process, means the process with that pid. */
static struct sb_str
pid_of(struct sb_str what)
{
    size_t at = sb_str_find(what, '<');
    return at > 0 && at < what.n && sb_str_ends(what, SB_STR(">")) ? sb_str_sub(what, at, what.n) : what;
}

static bool
mark(const struct reading *r, struct sb_str what, bool as_elixir, bool *of)
{
    static const unsigned col[] = {SB_C_process__pid, SB_C_process__name, SB_C_process__label,
                                   SB_C_process__entry, SB_C_process__spawn_mfa};
    int64_t text = as_elixir ? SB_NULL : sb_profile_find_text(r->p, what);
    bool found = false;
    for (size_t c = 0; !found && (as_elixir || text != SB_NULL) && c < sizeof col / sizeof *col; c++)
        for (uint64_t i = 0; i < r->n_processes; i++) {
            int64_t cell = sb_profile_cell(r->p, SB_T_process, col[c], i);
            if (as_elixir ? cell != SB_NULL && sb_elixir_is(sb_profile_text(r->p, cell), what, r->a)
                          : cell == text)
                found = of[i + 1] = true;
        }
    return found;
}

static bool
find_processes(const struct reading *r, struct sb_str what, bool *of)
{
    return mark(r, what, false, of) || mark(r, pid_of(what), false, of) || mark(r, what, true, of);
}

static bool
not_found(struct sb_str what, struct sb_err *e)
{
    return sb_err_set(e, SB_ERR_INPUT, "there is no process '%.*s'", SB_STR_ARG(what)) ||
           sb_err_advise(e, "strobe report P processes shows their names");
}

static bool
has_calls(const struct reading *r, int64_t text)
{
    SB_SCAN(s, r->p, activation, mfa);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (s.value[mfa][i] == text)
            return true;
    return false;
}

/* SB_NULL if no call of the function is recorded. */
static int64_t
find_function(const struct reading *r, struct sb_str what)
{
    SB_SCAN(s, r->p, function, mfa);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (sb_elixir_is(sb_profile_text(r->p, s.value[mfa][i]), what, r->a) && has_calls(r, s.value[mfa][i]))
            return s.value[mfa][i];
    return SB_NULL;
}

/* SB_NULL if no sample has the function. */
static int64_t
sampled_text(const struct reading *r, struct sb_str what)
{
    const struct sb_cpu_samples *all = sb_cpu_samples_of(r->p);
    int64_t last = SB_NULL;
    for (size_t i = 1; i < all->n_frames; i++) {
        int64_t f = all->frame[i].function;
        if (f != last && f != SB_NULL && sb_elixir_is(sb_profile_text(r->p, f), what, r->a))
            return f;
        last = f;
    }
    return SB_NULL;
}

static bool
find_sampled(struct reading *r, struct sb_str what, struct sb_faster *f, struct sb_err *e)
{
    struct sb_sampled *s = SB_NEW(r->a, struct sb_sampled);
    f->sampled = s;
    f->mfa = sampled_text(r, what);
    sb_sampled_find(s, r->p, f->mfa, r->a);
    if (s->samples == 0)
        return sb_err_set(e, SB_ERR_INPUT,
                          "no call of '%.*s' is recorded, and fewer than %d samples of the CPU tell no share",
                          SB_STR_ARG(what), SB_VM_LEAST_SAMPLES) ||
               sb_err_advise(
                   e, "record a longer run (--trace all,cpu), or its calls (--trace all,calls --module M)");
    struct sb_str most = s->all.high < 0.5
                             ? sb_arena_printf(r->a, " (at most %.0f %% of the work)", 100 * s->all.high)
                             : SB_STR("");
    if (s->seen == 0)
        return sb_err_set(e, SB_ERR_INPUT,
                          "no call of '%.*s' is recorded, and none of %llu samples of the CPU shows it%.*s",
                          SB_STR_ARG(what), (unsigned long long)s->samples, SB_STR_ARG(most)) ||
               sb_err_advise(e, "strobe report P cpu shows the functions that have samples");
    r->w->sampled = sb_arena_printf(
        r->a, "%.*s%s%.*s was on the stack in %.0f %% of %llu samples of the CPU (%.0f to %.0f %%)",
        SB_STR_ARG(r->w->sampled), r->w->sampled.n > 0 ? "; " : "", SB_STR_ARG(what), 100 * s->all.share,
        (unsigned long long)s->samples, 100 * s->all.low, 100 * s->all.high);
    return true;
}

/* ---- changes ---- */

/* Splits "WHAT=2" at the last `=`. */
static bool
read_factor(const char *option, struct sb_str text, double most, struct sb_str *what, double *by,
            struct sb_err *e)
{
    size_t at = text.n;
    while (at > 0 && text.p[at - 1] != '=')
        at--;
    char number[32] = "", *end = number;
    if (at > 1 && text.n - at < sizeof number)
        memcpy(number, text.p + at, text.n - at);
    *by = strtod(number, &end);
    *what = sb_str_trim(sb_str_sub(text, 0, at > 0 ? at - 1 : 0));
    return (what->n > 0 && end > number && *end == '\0' && *by >= 1 && *by <= most) ||
           sb_err_set(e, SB_ERR_USAGE, "%s takes NAME=N with N from 1 to %.0f, not '%.*s'", option, most,
                      SB_STR_ARG(text));
}

static bool
read_faster(struct reading *r, struct sb_str text, struct sb_err *e)
{
    struct sb_str what;
    struct sb_faster *f = &r->w->faster[r->w->n_faster++];
    SB_TRY(read_factor("faster", text, 1e6, &what, &f->by, e));
    f->of = SB_NEW_N(r->a, bool, r->n_processes + 1);
    if (find_processes(r, what, f->of))
        return true;
    f->of = NULL;
    f->mfa = find_function(r, what);
    return f->mfa != SB_NULL ||
           (sb_str_find(what, '/') < what.n ? find_sampled(r, what, f, e) : not_found(what, e));
}

static bool
read_split(struct reading *r, struct sb_str text, struct sb_err *e)
{
    struct sb_str what;
    double by;
    bool *of = SB_NEW_N(r->a, bool, r->n_processes + 1);
    SB_TRY(read_factor("split", text, 1024, &what, &by, e));
    if (by != (double)(uint32_t)by)
        return sb_err_set(e, SB_ERR_USAGE, "split takes a whole number of copies, not '%.*s'",
                          SB_STR_ARG(text));
    if (!find_processes(r, what, of))
        return not_found(what, e);
    if (!r->w->copies)
        r->w->copies = SB_NEW_N(r->a, uint32_t, r->n_processes + 1);
    for (uint64_t id = 1; id <= r->n_processes; id++)
        if (of[id])
            r->w->copies[id] = (uint32_t)by;
    return true;
}

static bool
read_free(struct reading *r, struct sb_str text, struct sb_err *e)
{
    struct sb_free_pair *f = &r->w->free[r->w->n_free++];
    size_t at = 0;
    while (at + 1 < text.n && !(text.p[at] == '-' && text.p[at + 1] == '>'))
        at++;
    if (at + 2 >= text.n || at == 0)
        return sb_err_set(e, SB_ERR_USAGE, "free takes 'A -> B', not '%.*s'", SB_STR_ARG(text));
    struct sb_str a = sb_str_trim(sb_str_sub(text, 0, at)), b = sb_str_trim(sb_str_sub(text, at + 2, text.n));
    f->from = SB_NEW_N(r->a, bool, r->n_processes + 1);
    f->to = SB_NEW_N(r->a, bool, r->n_processes + 1);
    return find_processes(r, a, f->from) ? find_processes(r, b, f->to) || not_found(b, e) : not_found(a, e);
}

static bool
each(struct reading *r, struct sb_str list,
     bool (*read)(struct reading *r, struct sb_str one, struct sb_err *e), struct sb_err *e)
{
    while (list.n > 0) {
        struct sb_str one = sb_str_trim(sb_str_cut(&list, ';'));
        SB_TRY(one.n == 0 || read(r, one, e));
    }
    return true;
}

static size_t
most(struct sb_str list)
{
    size_t n = 1;
    while (list.n > 0) {
        sb_str_cut(&list, ';');
        n++;
    }
    return n;
}

bool
sb_what_if_read(struct sb_what_if *w, const struct sb_profile *p, const struct sb_what_if_text *text,
                struct sb_arena *a, struct sb_err *e)
{
    struct reading r = {w, p, a, sb_profile_rows(p, SB_T_process)};
    *w = (struct sb_what_if){0};
    w->faster = SB_NEW_N(a, struct sb_faster, most(text->faster));
    w->free = SB_NEW_N(a, struct sb_free_pair, most(text->free));
    return read_cores(w, text->cores, e) && each(&r, text->faster, read_faster, e) &&
           each(&r, text->split, read_split, e) && each(&r, text->free, read_free, e);
}
