#include "engine/world/waits.h"
#include "engine/merge/profile_source.h"
#include "engine/world/compare.h"
#include "engine/state/run.h"
#include "trace/kind.h"

struct sb_waits {
    SB_VEC(uint8_t) kind;  /* by name id */
    bool stated;           /* by the trace itself */
    bool learned;          /* by sb_learner_close, not stated */
    bool no_receives;      /* no process receives a message, so they could not be learned */
    SB_VEC(uint8_t) asked; /* by name id, of a trace that grows: sb_waits_of was asked about it */
    bool contradicted;     /* and a later statement changes the answer */
    uint32_t hibernates[2], deaf, busy_port, busy_node, trap;
};

static uint32_t
function(const struct sb_run *r, struct sb_str module, struct sb_str name, uint32_t arity)
{
    return sb_names_mfa(
        r->names, (struct sb_mfa){sb_names_atom(r->names, module), sb_names_atom(r->names, name), arity});
}

struct sb_waits *
sb_waits_open(const struct sb_run *r)
{
    struct sb_waits *w = sb_zeroed_or_die(1, sizeof *w);
    w->hibernates[0] = function(r, SB_STR("erlang"), SB_STR("hibernate"), 3);
    w->hibernates[1] = function(r, SB_STR("erlang"), SB_STR("hibernate"), 0); /* since OTP 28 */
    w->deaf = function(r, SB_STR("timer"), SB_STR("sleep"), 1);
    w->busy_port = function(r, SB_STR("erts_internal"), SB_STR("port_command"), 3);
    w->busy_node = function(r, SB_STR("erts_internal"), SB_STR("dsend_continue_trap"), 1);
    w->trap = function(r, SB_STR("erlang"), SB_STR("bif_return_trap"), 2);
    return w;
}

void
sb_waits_close(struct sb_waits *w)
{
    if (w) {
        SB_VEC_FREE(&w->kind);
        SB_VEC_FREE(&w->asked);
    }
    free(w);
}

static void
set(struct sb_waits *w, uint32_t fn, enum sb_waits_kind kind)
{
    if (fn >= w->kind.n) {
        size_t more = fn + 1 - w->kind.n;
        SB_RESERVE(&w->kind, more);
        memset(w->kind.at + w->kind.n, SB_WAITS_UNKNOWN, more);
        w->kind.n = fn + 1;
    }
    w->kind.at[fn] = (uint8_t)kind;
}

bool
sb_waits_learned(const struct sb_waits *w)
{
    return w->learned;
}

bool
sb_waits_see_none(const struct sb_waits *w)
{
    return w->no_receives;
}

void
sb_waits_set(struct sb_waits *w, uint32_t fn, enum sb_waits_kind kind)
{
    w->stated = true;
    w->contradicted |= fn < w->asked.n && w->asked.at[fn] && (fn >= w->kind.n || w->kind.at[fn] != kind);
    set(w, fn, kind);
}

void
sb_waits_expect(struct sb_waits *w, uint32_t functions)
{
    if (functions > 0)
        SB_REACH(&w->asked, functions - 1);
}

bool
sb_waits_contradicted(const struct sb_waits *w)
{
    return w->contradicted;
}

static enum sb_waits_kind
stated(const struct sb_waits *w, uint32_t fn)
{
    if (fn < w->asked.n)
        __atomic_store_n(&w->asked.at[fn], 1, __ATOMIC_RELAXED);
    return fn < w->kind.n ? w->kind.at[fn] : SB_WAITS_UNKNOWN;
}

enum sb_waits_kind
sb_waits_of(const struct sb_waits *w, uint32_t fn)
{
    if (fn == 0)
        return SB_WAITS_UNSEEN; /* exiting, within the VM, or recorded without its function */
    if (fn == SB_UNKNOWN32 || fn == w->busy_port)
        return SB_WAITS_SLEEPS; /* unknown: the VM reported a wait without its place (gap of `exists`) */
    if (fn == w->hibernates[0] || fn == w->hibernates[1])
        return SB_WAITS_HIBERNATES;
    if (fn == w->deaf)
        return SB_WAITS_DEAF;
    if (fn == w->busy_node)
        return SB_WAITS_BUSY;
    if (fn == w->trap)
        /* a process that loads code waits there for all schedulers; others have used up their time slice */
        return SB_WAITS_BOTH;
    return stated(w, fn);
}

/* ---- learning: the first thing that a process does after it was scheduled out in a function ---- */

struct votes {
    uint32_t fetched, other;
    /* it did nothing at all, soon or after a long time; counts only if no other votes exist */
    uint32_t rested, went_on;
};
struct tally {
    SB_VEC(struct votes) of; /* by name id */
    bool fetched;            /* some process received a message */
};
struct off {               /* a process that was scheduled out */
    uint32_t fn;           /* where; 0 once it did something */
    int64_t out_at, in_at; /* when, and when it was scheduled in again */
};
struct watched {            /* the processes of a part */
    struct sb_map place_of; /* actor -> index */
    SB_VEC(struct off) off;
};
struct sb_learner {
    struct sb_run *run;
    struct tally *tally; /* one per worker */
    struct watched watched[SB_PARTS];
};

/* A runnable process gets more than this fraction of a scheduler. A waiting one runs less: it is only
 * disturbed by signals that have no event (links, code purging). */
enum { RARELY = 100 };

static struct votes *
votes_on(struct tally *t, uint32_t fn)
{
    SB_REACH(&t->of, fn);
    return &t->of.at[fn];
}

static void
add_up(struct tally *sum, const struct tally *t)
{
    sum->fetched |= t->fetched;
    for (uint32_t fn = 0; fn < t->of.n; fn++) {
        struct votes *v = votes_on(sum, fn);
        v->fetched += t->of.at[fn].fetched;
        v->other += t->of.at[fn].other;
        v->rested += t->of.at[fn].rested;
        v->went_on += t->of.at[fn].went_on;
    }
}

/* Events of the VM that can occur anywhere in a process. */
static bool
says_nothing(const struct sb_event *ev)
{
    return sb_kinds[ev->kind].marks & SB_MARK_VM;
}

/* Events caused by the scheduler or by a signal of another process, which can occur anywhere. */
static bool
comes(const struct sb_event *ev)
{
    return ev->kind == SB_EV_in || ev->kind == SB_EV_getting_linked || ev->kind == SB_EV_getting_unlinked;
}

/* The process was scheduled out in the same function, or exited abnormally, possibly because of a signal. */
static bool
does_nothing(const struct sb_learner *l, const struct off *o, const struct sb_event *ev)
{
    if (ev->kind == SB_EV_exit)
        return !sb_str_eq(sb_names_str(l->run->names, ev->exit.reason), SB_STR("normal"));
    return ev->kind == SB_EV_out && ev->out.mfa == o->fn;
}

/* Counts the first event of a process after it was scheduled out in a function and in again. */
static void
vote(const struct sb_learner *l, struct votes *v, const struct off *o, const struct sb_event *ev)
{
    if (does_nothing(l, o, ev)) {
        bool rested = o->in_at != SB_AT_UNKNOWN && ev->at_ns - o->in_at < (o->in_at - o->out_at) / RARELY;
        v->rested += rested;
        v->went_on += !rested;
    } else if (ev->kind == SB_EV_receive)
        v->fetched++;
    else
        v->other++;
}

static struct off *
put_off(struct watched *w, sb_actor who)
{
    uint32_t place = sb_map_place(&w->place_of, who, w->off.n);
    SB_REACH(&w->off, place);
    return &w->off.at[place];
}

/* Handles an `in`. A second `in` in a row means that an `out`, and with it the function, is missing. */
static void
back(struct off *o, const struct sb_event *ev)
{
    if (ev->kind != SB_EV_in)
        return;
    if (o->in_at != SB_AT_UNKNOWN)
        o->fn = 0;
    o->in_at = ev->at_ns;
}

static void
look(struct sb_learner *l, struct watched *w, const struct sb_event *ev, unsigned worker)
{
    const uint32_t *place = sb_map_get(&w->place_of, ev->who);
    l->tally[worker].fetched |= ev->kind == SB_EV_receive;
    struct off *o = place ? &w->off.at[*place] : NULL;
    if (comes(ev)) {
        if (o)
            back(o, ev);
        return;
    }
    if (o && o->fn)
        vote(l, votes_on(&l->tally[worker], o->fn), o, ev);
    if (ev->kind == SB_EV_out && sb_actor_kind(ev->who) != SB_PORT)
        *put_off(w, ev->who) = (struct off){ev->out.mfa, ev->at_ns, SB_AT_UNKNOWN};
    else if (o)
        o->fn = 0;
}

void
sb_learner_look(struct sb_learner *l, size_t part, struct sb_items *items, unsigned worker)
{
    if (!l->run->facts.file_order)
        sb_compare_ties(l->run->names, items);
    for (size_t k = 0; k < items->n; k++) {
        const struct sb_event *ev = sb_item_event(items->at[k]);
        if (sb_item_role(items->at[k]) == SB_OWN && !says_nothing(ev))
            look(l, &l->watched[part], ev, worker);
    }
}

/* Nine of ten count as always: exceptions are messages that arrive on the way out, a race in the VM. */
static enum sb_waits_kind
verdict(const struct votes *v)
{
    uint64_t fetched = v->fetched, other = v->other;
    if (fetched + other + v->rested + v->went_on == 0)
        return SB_WAITS_UNKNOWN;
    if (fetched + other == 0)
        return v->rested >= v->went_on ? SB_WAITS_ALWAYS : SB_WAITS_NEVER;
    if (fetched * 10 >= (fetched + other) * 9)
        return SB_WAITS_ALWAYS;
    return fetched * 10 <= fetched + other ? SB_WAITS_NEVER : SB_WAITS_BOTH;
}

/* strobe's own traces state at their end which functions wait, and with system_profile the VM reports waits
 * directly. A profile that was not learned from its trace is not learned from either. */
bool
sb_learner_wanted(const struct sb_run *r)
{
    bool may = false;
    for (size_t i = 0; i < r->inputs.n && !may; i++) {
        struct sb_source *s = r->inputs.at[i].source;
        const struct sb_source_info *info = sb_source_info(s);
        may = r->merges ? sb_str_eq(sb_profile_source_meta(s, "waits"), SB_STR("learned"))
                        : sb_source_unfinished(info) || strcmp(info->format, "sbt") != 0;
    }
    return may && !(r->facts.seen_kinds >> SB_EV_active & 1);
}

struct sb_learner *
sb_learner_open(struct sb_run *r)
{
    struct sb_learner *l = sb_zeroed_or_die(1, sizeof *l);
    struct tally *tally = sb_zeroed_or_die(r->services.workers, sizeof *tally);
    l->run = r;
    l->tally = tally;
    return l;
}

void
sb_learner_close(struct sb_learner *l)
{
    struct sb_run *r = l->run;
    for (unsigned w = 1; w < r->services.workers; w++)
        add_up(&l->tally[0], &l->tally[w]);
    struct sb_waits *waits = r->waits;
    waits->learned = !waits->stated;
    waits->no_receives = waits->learned && !l->tally[0].fetched;
    for (uint32_t fn = 1; fn < l->tally[0].of.n && waits->learned && !waits->no_receives; fn++)
        set(waits, fn, verdict(&l->tally[0].of.at[fn]));
    for (unsigned w = 0; w < r->services.workers; w++)
        SB_VEC_FREE(&l->tally[w].of);
    for (unsigned i = 0; i < SB_PARTS; i++) {
        sb_map_close(&l->watched[i].place_of);
        SB_VEC_FREE(&l->watched[i].off);
    }
    free(l->tally);
    free(l);
}
