#include "profile/who.h"
#include "base/vec.h"
#include "profile/cpu.h"
#include "profile/derive.h"
#include "profile/otp.h"
#include "profile/scan_row.h"

struct vote { /* what most of the votes are for, if there is such a one; surely if its lead is half of them */
    struct sb_str best;
    int64_t lead, n;
};

static void
vote(struct vote *v, struct sb_str for_it)
{
    v->lead += sb_str_eq(for_it, v->best) ? 1 : -1;
    if (v->lead < 0)
        *v = (struct vote){for_it, 1, v->n};
    v->n++;
}

struct runs {                             /* what a process runs of the program */
    bool is_apply;                        /* no function is known that it was spawned with */
    struct vote began, outermost, module; /* by samples; by the ends of slices */
    struct sb_str function;               /* that a slice ended in */
    bool several;
    int64_t known, own; /* ends of slices in any function, and outside OTP */
};
enum is_otp { OTP_UNKNOWN, OTP_NO, OTP_YES };
struct names {
    const struct sb_profile *p;
    struct sb_str *name; /* by process */
    uint64_t n;
    uint32_t *place; /* by process: in `runs`; 0: it has a name of its own */
    SB_VEC(struct runs) runs;
    uint8_t *is_otp; /* by text: enum is_otp */
};

static bool
is_otp(struct names *x, int64_t text)
{
    if (text < 0 || text >= sb_profile_texts(x->p))
        return false;
    if (x->is_otp[text] == OTP_UNKNOWN)
        x->is_otp[text] = sb_is_otp(sb_profile_text(x->p, text)) ? OTP_YES : OTP_NO;
    return x->is_otp[text] == OTP_YES;
}

static struct runs *
runs_of(struct names *x, int64_t process)
{
    uint32_t at = process > 0 && (uint64_t)process <= x->n ? x->place[process] : 0;
    return at > 0 ? &x->runs.at[at] : NULL;
}

/* Each stack that begins where the process began, in OTP, votes for its outermost function, and for the outermost one
 * outside OTP. */
static void
read_samples(struct names *x)
{
    const struct sb_cpu_samples *c = sb_cpu_samples_of(x->p);
    /* By frame: text + 1; 0: none. */
    int64_t *own = sb_zeroed_or_die(c->n_frames + 1, sizeof *own),
            *began = sb_zeroed_or_die(c->n_frames + 1, sizeof *began);
    for (size_t i = 1; i < c->n_frames; i++) {
        const struct sb_cpu_frame *f = &c->frame[i];
        bool of_otp = f->code == SB_CPU_ERLANG && is_otp(x, f->function);
        began[i] = f->caller ? began[f->caller] : of_otp ? f->function + 1 : 0;
        own[i] = own[f->caller] ?: f->code == SB_CPU_ERLANG && !of_otp ? f->function + 1 : 0;
    }
    for (size_t i = 0; i < c->n_samples; i++) {
        uint32_t f = c->sample[i].stack;
        struct runs *r = runs_of(x, c->sample[i].process);
        if (r && began[f] > 0)
            vote(&r->began, sb_profile_text(x->p, began[f] - 1));
        if (r && began[f] > 0 && own[f] > 0)
            vote(&r->outermost, sb_profile_text(x->p, own[f] - 1));
    }
    free(own);
    free(began);
}

static void
read_slices(struct names *x)
{
    SB_SCAN(s, x->p, slice, process, out_function);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        struct sb_str out = sb_profile_text(x->p, s.value[out_function][i]);
        struct runs *r = runs_of(x, s.value[process][i]);
        if (!r || out.n == 0)
            continue;
        r->known++;
        if (is_otp(x, s.value[out_function][i]))
            continue;
        r->own++;
        r->several |= r->own > 1 && !sb_str_eq(out, r->function);
        r->function = out;
        vote(&r->module, sb_otp_module(out));
    }
}

/* What most samples began with. Or where a tenth of its slices ended, or more, outside OTP: the function, if it was
 * one, or else the module of most. What it happened to run once, among many waits in OTP, is not what it is. */
static struct sb_str
does(const struct runs *r)
{
    struct sb_str own = r->outermost.best.n > 0  ? r->outermost.best
                        : 10 * r->own < r->known ? (struct sb_str){0}
                        : r->several             ? r->module.best
                                                 : r->function;
    bool is_eval =
        sb_str_starts(r->began.best, SB_STR("init:")); /* of others it is as good as any function */
    return own.n == 0 && r->is_apply && is_eval && 2 * r->began.lead >= r->began.n ? r->began.best : own;
}

static int64_t
first(const struct names *x, int64_t a, int64_t b)
{
    return sb_profile_text(x->p, a).n > 0 ? a : b;
}

static void
read_processes(struct names *x)
{
    SB_SCAN(s, x->p, process, name, label, entry, spawn_mfa, pid);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t own = first(x, s.value[name][i], s.value[label][i]),
                from = first(x, s.value[entry][i], s.value[spawn_mfa][i]);
        uint64_t id = s.row[i] + 1;
        x->name[id] = sb_profile_text(x->p, first(x, own, first(x, from, s.value[pid][i])));
        if (sb_profile_text(x->p, own).n == 0 && is_otp(x, from)) {
            x->place[id] = (uint32_t)(x->runs.n > 0 ? x->runs.n : 1);
            SB_REACH(&x->runs, x->place[id]);
            x->runs.at[x->place[id]].is_apply = sb_str_eq(x->name[id], SB_STR("erlang:apply/2"));
        }
    }
}

static bool
make(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    struct names x = {.p = p, .n = sb_profile_rows(p, SB_T_process)};
    x.name = SB_NEW_N(a, struct sb_str, x.n + 1);
    x.place = sb_zeroed_or_die(x.n + 1, sizeof *x.place);
    x.is_otp = sb_zeroed_or_die((uint64_t)sb_profile_texts(p) + 1, sizeof *x.is_otp);
    (void)e;
    read_processes(&x);
    if (x.runs.n > 0) {
        read_samples(&x);
        read_slices(&x);
    }
    for (uint64_t id = 1; id <= x.n; id++) {
        struct sb_str s = x.place[id] ? does(&x.runs.at[x.place[id]]) : SB_STR("");
        x.name[id] = s.n > 0 ? s : x.name[id];
    }
    free(x.place);
    free(x.is_otp);
    SB_VEC_FREE(&x.runs);
    *(struct sb_str **)value = x.name;
    return true;
}

struct sb_str
sb_who(const struct sb_profile *p, int64_t process)
{
    static const struct sb_derived derived = {sizeof(struct sb_str *), make, NULL};
    if (process < 1 || (uint64_t)process > sb_profile_rows(p, SB_T_process))
        return (struct sb_str){0};
    struct sb_str *const *name = sb_profile_derive(p, &derived, NULL);
    return (*name)[process];
}
