/*
 * The engine against a slow reference that shares no code with it below the event iterator: random traces in
 * text form, some records lost or duplicated, are analysed and every figure of every process is compared.
 */
#include "engine_analyze.h"
#include "engine_profile.h"
#include "engine_traces.h"
#include "trace/names.h"
#include "trace/source.h"

/* ---- the reference ---- */

struct letter {
    int64_t at;
    unsigned from;
    uint64_t hash, ext;
    bool stale, taken;
};
struct figures {
    int64_t run, gc, runnable, wait, handover, dirty, dirty_gc, unknown, slices, migrations, sends, receives,
        timeouts;
    int64_t edge[PROCESSES], matched[PROCESSES];
};
struct model {
    struct sb_event ev[2 * MOST];
    size_t n;
    bool takes_messages; /* some process does */
    int64_t t0, end;
    int waits[64]; /* by function: -1 never seen, 0 never, 1 always, 2 both */
    uint32_t fn[64];
    size_t fns;
    struct figures of[PROCESSES];
};

static unsigned
index_of(sb_actor a)
{
    return sb_actor_number(a) - 10;
}

static int
by_time(const void *a, const void *b)
{
    const struct sb_event *x = a, *y = b;
    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static void
read_events(struct model *m, const char *path)
{
    struct sb_source *s;
    struct sb_err e = {0};
    struct sb_block b;
    struct sb_events events = {0};
    assert_true(sb_source_open(&s, &path, 1, NULL, &e));
    while (sb_source_next(s, &b, &e))
        sb_source_decode(s, &b, &events);
    assert_true(events.n <= sizeof m->ev / sizeof *m->ev);
    memcpy(m->ev, events.at, events.n * sizeof *m->ev);
    m->n = events.n;
    qsort(m->ev, m->n, sizeof *m->ev, by_time);
    m->t0 = m->ev[0].at_ns;
    m->end = m->ev[m->n - 1].at_ns;
    free(events.at);
    sb_source_close(s);
}

static bool
shows_work(const struct sb_event *ev)
{
    return ev->kind != SB_EV_in && !(ev->kind >= SB_EV_gc_minor_start && ev->kind <= SB_EV_gc_max_heap_size);
}

enum { OTHER, MESSAGE, RESTED, WENT_ON, VOTES, NONE = VOTES };

/*
 * The first action of a process after its return: a `receive` (MESSAGE), another event (OTHER), or none.
 * Without one it rested if its absence was more than a hundred times as long as its slice, else it went on.
 */
static int
vote_of(const struct model *m, size_t out, const struct sb_event *next)
{
    int64_t in_at = 0;
    unsigned ins = 0;
    for (const struct sb_event *ev = &m->ev[out]; ev < next; ev++)
        if (ev->who == next->who && ev->kind == SB_EV_in) {
            in_at = ev->at_ns;
            ins++;
        }
    if (ins > 1)
        return NONE;
    if (next->kind == SB_EV_out && next->out.mfa == m->ev[out].out.mfa)
        return ins > 0 && next->at_ns - in_at < (in_at - m->ev[out].at_ns) / 100 ? RESTED : WENT_ON;
    return next->kind == SB_EV_receive ? MESSAGE : OTHER;
}

/* The next event of the same process that shows what it was doing. */
static const struct sb_event *
next_of(const struct model *m, size_t i, bool in_too)
{
    for (size_t k = i + 1; k < m->n; k++)
        if (m->ev[k].who == m->ev[i].who && (shows_work(&m->ev[k]) || (in_too && m->ev[k].kind == SB_EV_in)))
            return &m->ev[k];
    return NULL;
}

static void
learn(struct model *m)
{
    int votes[64][VOTES + 1] = {{0}};
    m->takes_messages = false;
    for (size_t i = 0; i < m->n; i++)
        m->takes_messages |= m->ev[i].kind == SB_EV_receive;
    for (size_t i = 0; i < m->n; i++) {
        if (m->ev[i].kind != SB_EV_out)
            continue;
        size_t f = 0;
        while (f < m->fns && m->fn[f] != m->ev[i].out.mfa)
            f++;
        if (f == m->fns)
            m->fn[m->fns++] = m->ev[i].out.mfa;
        const struct sb_event *next = next_of(m, i, false);
        if (next)
            votes[f][vote_of(m, i, next)]++;
    }
    for (size_t f = 0; f < m->fns; f++) {
        const int *v = votes[f];
        int all = v[OTHER] + v[MESSAGE];
        if (all > 0)
            m->waits[f] = v[MESSAGE] * 10 >= all * 9 ? 1 : v[MESSAGE] * 10 <= all ? 0 : 2;
        else
            m->waits[f] = v[RESTED] + v[WENT_ON] == 0 ? -1 : v[RESTED] >= v[WENT_ON];
    }
}

static int
waits_of(const struct model *m, uint32_t fn)
{
    for (size_t f = 0; f < m->fns; f++)
        if (m->fn[f] == fn)
            return m->waits[f];
    return -1;
}

struct elapsed { /* gaps in a function that a timeout ended */
    int shorter, longer;
};

static struct elapsed *
elapsed_in(const struct model *m, struct elapsed *of, uint32_t fn)
{
    size_t f = 0;
    while (f < m->fns && m->fn[f] != fn)
        f++;
    return &of[f];
}

struct comeback { /* the end of a gap */
    int64_t at;
    int lane;                    /* -1: it did not come back on any */
    const struct sb_event *next; /* what shows what the process did then; NULL: nothing */
};

/* The same where the trace ended: what follows a wake-up, or is no sure wait, is unknown. */
static int64_t
waited_to_the_end(const struct model *m, unsigned p, uint32_t fn, int64_t from, bool unsure)
{
    if (unsure || waits_of(m, fn) != 1)
        return 0;
    for (size_t k = 0; k < m->n; k++)
        if (m->ev[k].kind == SB_EV_send && index_of(m->ev[k].peer) == p && m->ev[k].at_ns >= from)
            return m->ev[k].at_ns - from;
    return m->end - from;
}

struct walk {
    enum { UNSEEN, ON, OFF, GONE } state;
    int64_t since, gc_since, gc_from, start, delay;
    uint32_t fn;
    int timeouts, timeouts_before, lane, left; /* left: the lane it went out on */
    int64_t slice_gc;                          /* in the stay so far */
    bool had_mail, spawn, polled;              /* the last thing it did was a timeout */
    struct elapsed elapsed[64];                /* by function */
    struct letter box[2 * MOST];
    size_t letters;
};

/* How much of a gap was waiting; the rest was runnable. -1: unknown. */
static int64_t
waited(const struct model *m, unsigned p, struct walk *w, struct comeback back)
{
    const struct sb_event *next = back.next;
    int64_t from = w->since, to = back.at;
    int waits = w->fn ? waits_of(m, w->fn) : 0;
    if (w->fn && !m->takes_messages)
        return -1;
    bool fetch = next && next->kind == SB_EV_receive, timeout = fetch && next->flags & SB_EVF_TIMEOUT;
    bool deaf = timeout && to - from >= 1000000;
    if (waits == 0 || (w->had_mail && !deaf) || (waits != 1 && next && !fetch && next->kind != SB_EV_exit))
        return 0;
    for (size_t k = 0; k < m->n; k++)
        if (m->ev[k].kind == SB_EV_send && index_of(m->ev[k].peer) == p && m->ev[k].at_ns >= from &&
            m->ev[k].at_ns < to) {
            int64_t ready = to - m->ev[k].at_ns, step = w->delay / 16 + 1;
            w->delay += ready > w->delay ? step : ready < w->delay ? -step : 0;
            return m->ev[k].at_ns - from;
        }
    if (next && next->kind == SB_EV_exit && next->at_ns == to) {
        int64_t step = w->delay / 16 + 1;
        w->delay -= 0 < w->delay ? step : 0;
        return to - from;
    }
    if (next && (next->kind == SB_EV_send || next->kind == SB_EV_call))
        return 0;
    if (timeout) {
        struct elapsed *e = elapsed_in(m, w->elapsed, w->fn);
        bool polls = w->timeouts_before > 0 && e->shorter > e->longer;
        *(to - from < 1000000 ? &e->shorter : &e->longer) += 1;
        if (polls || to - from < 1000000)
            return 0;
    }
    return to - from > w->delay ? to - from - w->delay : 0;
}

static size_t
fresh(const struct walk *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->letters; i++)
        n += !w->box[i].taken && !w->box[i].stale;
    return n;
}

static void
fetch(struct walk *w, struct figures *f, const struct sb_event *ev)
{
    f->receives++;
    for (size_t i = 0, seen = 0; i < w->letters && seen < 256; i++) {
        struct letter *l = &w->box[i];
        if (l->taken)
            continue;
        seen++;
        if (l->hash != ev->message.hash || l->ext != ev->message.ext)
            continue;
        l->taken = true;
        f->matched[l->from]++;
        for (size_t k = 0; k < i; k++)
            w->box[k].stale = true;
        return;
    }
}

static bool
is_dirty(int lane)
{
    return sb_lane_kind((sb_lane)lane) == SB_LANE_DIRTY_CPU ||
           sb_lane_kind((sb_lane)lane) == SB_LANE_DIRTY_IO;
}

/* Handed over to a dirty scheduler or back; -1: it did not come back on any. */
static bool
crosses(const struct model *m, const struct walk *w, int back)
{
    if (back < 0 || w->left < 0 || is_dirty(w->left) == is_dirty(back))
        return false;
    return is_dirty(back) || !w->fn || waits_of(m, w->fn) != 1;
}

static void
judge(struct model *m, unsigned p, struct walk *w, struct figures *f, struct comeback back)
{
    if (crosses(m, w, back.lane)) {
        f->handover += back.at - w->since;
        return;
    }
    if (w->spawn) {
        f->runnable += back.at - w->since;
        return;
    }
    int64_t wait = waited(m, p, w, back);
    f->wait += wait < 0 ? 0 : wait;
    f->runnable += wait < 0 ? 0 : back.at - w->since - wait;
    f->unknown += wait < 0 ? back.at - w->since : 0;
}

static void
go_off(struct walk *w, int64_t at, uint32_t fn, int lane)
{
    w->left = w->state == ON ? w->lane : lane;
    w->state = OFF;
    w->since = at;
    w->fn = fn;
    w->had_mail = fresh(w) > 0;
    w->timeouts_before = w->polled ? w->timeouts : 0;
    w->spawn = false;
}

static void
collected(struct walk *w, struct figures *f, int64_t at)
{
    f->gc += at - w->gc_from;
    f->dirty_gc += w->state == ON && is_dirty(w->lane) ? at - w->gc_from : 0;
    w->slice_gc += at - w->gc_from;
    w->gc_from = at;
}

static void
end_slice(struct walk *w, struct figures *f, int64_t at)
{
    if (w->gc_since >= 0)
        collected(w, f, at);
    f->slices++;
    f->run += is_dirty(w->lane) ? w->slice_gc : at - w->since;
    f->dirty += is_dirty(w->lane) ? at - w->since - w->slice_gc : 0;
}

static void
own(struct model *m, unsigned p, struct walk *w, struct figures *f, size_t i)
{
    const struct sb_event *ev = &m->ev[i];
    switch (ev->kind) {
    case SB_EV_spawned:
        if (w->state == UNSEEN || (w->state == OFF && w->spawn)) {
            w->start = w->start < 0 ? ev->at_ns : w->start;
            go_off(w, ev->at_ns, 0, -1);
            w->spawn = true;
        }
        break;
    case SB_EV_in:
        if (w->state == ON || w->state == GONE)
            break;
        if (w->state == OFF)
            judge(m, p, w, f, (struct comeback){ev->at_ns, ev->lane, next_of(m, i, true)});
        if (w->state == UNSEEN && w->gc_since >= 0)
            f->gc += ev->at_ns - w->gc_from;
        f->migrations += f->slices > 0 && w->lane != ev->lane;
        w->lane = ev->lane;
        w->state = ON;
        w->since = w->gc_from = ev->at_ns;
        w->slice_gc = 0;
        w->timeouts = 0;
        w->polled = false;
        break;
    case SB_EV_out:
        if (w->state == GONE)
            break;
        if (w->state == ON)
            end_slice(w, f, ev->at_ns);
        go_off(w, ev->at_ns, ev->running.mfa, ev->lane);
        break;
    case SB_EV_exit:
        if (w->state == ON)
            end_slice(w, f, ev->at_ns);
        if (w->state == OFF)
            judge(m, p, w, f, (struct comeback){ev->at_ns, -1, ev});
        w->gc_since = -1;
        w->letters = 0;
        w->state = GONE;
        break;
    case SB_EV_gc_minor_start:
        w->gc_since = w->gc_from = ev->at_ns;
        break;
    case SB_EV_gc_minor_end:
        if (w->gc_since >= 0 && (w->state == ON || w->state == UNSEEN))
            collected(w, f, ev->at_ns);
        w->gc_since = -1;
        break;
    case SB_EV_receive:
        w->polled = ev->flags & SB_EVF_TIMEOUT;
        if (w->polled)
            f->timeouts++, w->timeouts++;
        else
            fetch(w, f, ev);
        break;
    case SB_EV_send:
        w->polled = false;
        f->sends++;
        break;
    default:
        break;
    }
}

static void
walk_process(struct model *m, unsigned p)
{
    static struct walk w;
    struct figures *f = &m->of[p];
    memset(&w, 0, sizeof w);
    w.gc_since = w.start = -1;
    w.delay = 2000;
    int64_t end = -1;
    bool traced = false;
    for (size_t i = 0; i < m->n; i++) {
        const struct sb_event *ev = &m->ev[i];
        if (ev->kind == SB_EV_send && index_of(ev->peer) == p) {
            w.box[w.letters++] = (struct letter){
                ev->at_ns, index_of(ev->who), ev->message.hash, ev->message.ext, false, false};
            f->edge[index_of(ev->who)]++;
        }
        if (index_of(ev->who) == p) {
            end = ev->kind == SB_EV_exit && end < 0 ? ev->at_ns : end;
            traced = true;
            own(m, p, &w, f, i);
        }
    }
    if (w.state == ON)
        end_slice(&w, f, m->end);
    if (w.state == OFF)
        f->wait += waited_to_the_end(m, p, w.fn, w.since, w.had_mail || w.spawn);
    int64_t life = (end >= 0 ? end : m->end) - (w.start >= 0 ? w.start : m->t0);
    if (!traced) /* all of it is NULL */
        return;
    f->unknown = life - f->run - f->dirty - f->runnable - f->wait - f->handover;
}

/* ---- comparing ---- */

static void
compare(const struct model *m, uint64_t run)
{
    struct sb_table t = ask("select pid, run_ns, gc_ns, runnable_ns, wait_ns, handover_ns, dirty_ns, "
                            "dirty_gc_ns, unknown_ns, slices, migrations, sends, receives,"
                            " timeouts from process order by id");
    static const char *const names[] = {"run",   "gc",       "runnable", "wait",   "handover",
                                        "dirty", "dirty gc", "unknown",  "slices", "migrations",
                                        "sends", "receives", "timeouts"};
    for (size_t r = 0; r < t.n_rows; r++) {
        const union sb_cell *c = &t.cell[r * t.n_columns];
        unsigned p = (unsigned)atoi(c[0].s.p + 3) - 10;
        const struct figures *f = &m->of[p];
        const int64_t want[] = {f->run,   f->gc,       f->runnable, f->wait,   f->handover,
                                f->dirty, f->dirty_gc, f->unknown,  f->slices, f->migrations,
                                f->sends, f->receives, f->timeouts};
        for (size_t k = 0; k < sizeof want / sizeof *want; k++)
            same(names[k], p, c[k + 1].i == SB_NULL ? 0 : c[k + 1].i, want[k],
                 run); /* NULL: none of its kind was recorded */
    }
    t = ask("select a.pid, b.pid, e.count, e.matched from message_edge e join process a on a.id = e.sender"
            " join process b on b.id = e.receiver");
    size_t edges = 0;
    for (unsigned p = 0; p < PROCESSES; p++)
        for (unsigned q = 0; q < PROCESSES; q++)
            edges += m->of[p].edge[q] > 0;
    same("edges", 0, (int64_t)t.n_rows, (int64_t)edges, run);
    for (size_t r = 0; r < t.n_rows; r++) {
        const union sb_cell *c = &t.cell[r * t.n_columns];
        unsigned from = (unsigned)atoi(c[0].s.p + 3) - 10, to = (unsigned)atoi(c[1].s.p + 3) - 10;
        same("edge", to, c[2].i, m->of[to].edge[from], run);
        same("matched", to, c[3].i, m->of[to].matched[from], run);
    }
}

static void
random_traces_agree(void **state)
{
    (void)state;
    static struct model m;
    for (unsigned run = 1; run <= RUNS; run++) {
        seed = run * 0x9e3779b97f4a7c15u;
        struct lines l =
            make_trace(20 + dice(run % 10 == 0 ? 3000 : 200), run % 3 * 7, run % 4 * 30, run % 5 * 20);
        const char *trace = in_dir("r.txt"), *out = in_dir("r.sbp");
        write_lines(trace, &l, 0, l.n);
        free(l.at);
        memset(&m, 0, sizeof m);
        read_events(&m, trace);
        learn(&m);
        for (unsigned p = 0; p < PROCESSES; p++)
            walk_process(&m, p);
        analyze(&trace, 1, out, 1);
        open_profile(out);
        compare(&m, run);
        check_laws(run);
        close_profile();
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_traces_agree)};
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
