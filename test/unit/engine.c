/*
 * The engine against a slow reference that shares no code with it below the event iterator: random traces in
 * text form, some records lost or told twice, are analysed and every figure of every process is compared;
 * then the same records in another order, split over files and with other numbers of threads must give the
 * same bytes.
 */
#include "engine/engine.h"
#include "profile/sql.h"
#include "trace/source.h"
#include "trace/names.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>
#include <unistd.h>

enum { PROCESSES = 6, MOST = 4000, FUNCTIONS = 5 };

/* Under a sanitizer a part of the traces: it looks at how they are worked on, not at what comes out. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { RUNS = 200, MERGES = 60 };
#else
enum { RUNS = 1000, MERGES = 300 };
#endif

/* ---- a random trace ---- */

struct lines {
    char (*at)[96];
    size_t n;
};

static uint64_t seed;
static unsigned
dice(unsigned sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 32) % sides);
}

/* Mostly what a sane world does; `wild` of 100 is anything at all. */
static void
make_line(char *to, size_t cap, long at, bool *on, bool *collects, unsigned wild)
{
    unsigned p = dice(PROCESSES), kind = dice(10), fn = dice(FUNCTIONS);
    bool any = dice(100) < wild;
    int n = snprintf(to, cap, "%ld <0.%u.0> %u ", at, 10 + p, 1 + dice(3));
    if (!on[p] && !any) {
        snprintf(to + n, cap - (size_t)n, "in mfa=m:f%u/0", fn);
        on[p] = true;
    } else if (kind < 3) {
        snprintf(to + n, cap - (size_t)n, "send to=<0.%u.0> words=%u ext=%u hash=%x", 10 + dice(PROCESSES),
                 2 + fn, 9 + fn, 1 + dice(6));
    } else if (kind < 5) {
        snprintf(to + n, cap - (size_t)n,
                 dice(8) ? "receive words=%u ext=%u hash=%x" : "receive words=1 ext=9 timeout", 2 + fn,
                 9 + fn, 1 + dice(6));
    } else if (kind == 5) {
        snprintf(to + n, cap - (size_t)n, "call mfa=m:g/0");
    } else if (kind == 6) {
        snprintf(to + n, cap - (size_t)n, "gc_minor_%s heap=9 block=9 bin=0 old=0 mbuf=0 need=1",
                 collects[p] ? "end" : "start");
        collects[p] = !collects[p];
    } else if (kind == 7 && dice(60) == 0) {
        snprintf(to + n, cap - (size_t)n, "exit reason=normal");
    } else {
        snprintf(to + n, cap - (size_t)n, any && dice(2) ? "in mfa=m:f%u/0" : "out mfa=m:f%u/0", fn);
        on[p] = false;
        collects[p] = false;
    }
}

static struct lines
make_trace(size_t n, unsigned wild, unsigned lost, unsigned twice)
{
    struct lines l = {calloc(2 * n + PROCESSES, sizeof *l.at), 0};
    bool on[PROCESSES] = {0}, collects[PROCESSES] = {0};
    long at = 1000;
    for (unsigned p = 1; p < PROCESSES; p++)
        if (dice(2))
            snprintf(l.at[l.n++], sizeof *l.at, "%ld <0.%u.0> 1 spawned parent=<0.10.0> mfa=m:s%u/0", at += 3,
                     10 + p, p % 2);
    while (l.n < n) {
        at += 1 + dice(40);
        make_line(l.at[l.n], sizeof *l.at, at, on, collects, wild);
        if (dice(1000) < lost)
            continue;
        if (dice(1000) < twice)
            memcpy(l.at[l.n + 1], l.at[l.n], sizeof *l.at), l.n++;
        l.n++;
    }
    return l;
}

static void
write_lines(const char *path, const struct lines *l, size_t from, size_t to)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t i = from; i < to; i++)
        fprintf(f, "%s\n", l->at[i]);
    fclose(f);
}

static void
shuffle(struct lines *l)
{
    for (size_t i = l->n; i > 1; i--) {
        size_t j = dice((unsigned)i);
        char keep[96];
        memcpy(keep, l->at[i - 1], sizeof keep);
        memcpy(l->at[i - 1], l->at[j], sizeof keep);
        memcpy(l->at[j], keep, sizeof keep);
    }
}

/* ---- the reference ---- */

struct letter {
    int64_t at;
    unsigned from;
    uint64_t hash, ext;
    bool stale, taken;
};
struct figures {
    int64_t run, gc, runnable, wait, unknown, slices, migrations, sends, receives, timeouts;
    int64_t edge[PROCESSES], matched[PROCESSES];
};
struct model {
    struct sb_event ev[2 * MOST];
    size_t n;
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
tells(const struct sb_event *ev)
{
    return ev->kind != SB_EV_in && !(ev->kind >= SB_EV_gc_minor_start && ev->kind <= SB_EV_gc_max_heap_size);
}

/* The next event of the same process that tells what it was about. */
static const struct sb_event *
next_of(const struct model *m, size_t i, bool in_too)
{
    for (size_t k = i + 1; k < m->n; k++)
        if (m->ev[k].who == m->ev[i].who && (tells(&m->ev[k]) || (in_too && m->ev[k].kind == SB_EV_in)))
            return &m->ev[k];
    return NULL;
}

static void
learn(struct model *m)
{
    int votes[64][2] = {{0}};
    for (size_t i = 0; i < m->n; i++) {
        if (m->ev[i].kind != SB_EV_out)
            continue;
        size_t f = 0;
        while (f < m->fns && m->fn[f] != m->ev[i].f)
            f++;
        if (f == m->fns)
            m->fn[m->fns++] = m->ev[i].f;
        const struct sb_event *next = next_of(m, i, false);
        if (next)
            votes[f][next->kind == SB_EV_receive]++;
    }
    for (size_t f = 0; f < m->fns; f++) {
        int all = votes[f][0] + votes[f][1];
        m->waits[f] = all == 0 ? -1 : votes[f][1] * 10 >= all * 9 ? 1 : votes[f][1] * 10 <= all ? 0 : 2;
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

/* How much of the gap [from, to) was waiting; the rest was runnable. -1: nobody can say. */
static int64_t
waited(const struct model *m, unsigned p, uint32_t fn, int64_t from, int64_t to, bool had_mail, int timeouts,
       const struct sb_event *next, int64_t *delay)
{
    int w = fn ? waits_of(m, fn) : 0;
    bool fetch = next && next->kind == SB_EV_receive, timeout = fetch && next->flags & SB_EVF_TIMEOUT;
    if (w == 0 || had_mail || (w != 1 && next && !fetch && next->kind != SB_EV_exit))
        return 0;
    for (size_t k = 0; k < m->n; k++)
        if (m->ev[k].kind == SB_EV_send && index_of(m->ev[k].peer) == p && m->ev[k].at_ns >= from &&
            m->ev[k].at_ns < to) {
            int64_t ready = to - m->ev[k].at_ns, step = *delay / 16 + 1;
            *delay += ready > *delay ? step : ready < *delay ? -step : 0;
            return m->ev[k].at_ns - from;
        }
    if (next && next->kind == SB_EV_exit && next->at_ns == to) {
        int64_t step = *delay / 16 + 1;
        *delay -= 0 < *delay ? step : 0;
        return to - from;
    }
    if (next && (next->kind == SB_EV_send || next->kind == SB_EV_call))
        return 0;
    if (timeouts > 1 || (timeout && to - from < 1000000))
        return 0;
    return to - from > *delay ? to - from - *delay : 0;
}

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
    int timeouts, timeouts_before, lane;
    bool had_mail, spawn;
    struct letter box[2 * MOST];
    size_t letters;
};

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
        if (l->hash != ev->z || l->ext != ev->y)
            continue;
        l->taken = true;
        f->matched[l->from]++;
        for (size_t k = 0; k < i; k++)
            w->box[k].stale = true;
        return;
    }
}

static void
judge(struct model *m, unsigned p, struct walk *w, struct figures *f, int64_t to, const struct sb_event *next)
{
    if (w->spawn) {
        f->runnable += to - w->since;
        return;
    }
    int64_t wait = waited(m, p, w->fn, w->since, to, w->had_mail, w->timeouts_before, next, &w->delay);
    f->wait += wait;
    f->runnable += to - w->since - wait;
}

static void
go_off(struct walk *w, int64_t at, uint32_t fn)
{
    w->state = OFF;
    w->since = at;
    w->fn = fn;
    w->had_mail = fresh(w) > 0;
    w->timeouts_before = w->timeouts;
    w->spawn = false;
}

static void
end_slice(struct walk *w, struct figures *f, int64_t at)
{
    f->run += at - w->since;
    f->slices++;
    if (w->gc_since >= 0) {
        f->gc += at - w->gc_from;
        w->gc_from = at;
    }
}

static void
own(struct model *m, unsigned p, struct walk *w, struct figures *f, size_t i)
{
    const struct sb_event *ev = &m->ev[i];
    switch (ev->kind) {
    case SB_EV_spawned:
        if (w->state == UNSEEN || (w->state == OFF && w->spawn)) {
            w->start = w->start < 0 ? ev->at_ns : w->start;
            go_off(w, ev->at_ns, 0);
            w->spawn = true;
        }
        break;
    case SB_EV_in:
        if (w->state == ON || w->state == GONE)
            break;
        if (w->state == OFF)
            judge(m, p, w, f, ev->at_ns, next_of(m, i, true));
        f->migrations += f->slices > 0 && w->lane != ev->lane;
        w->lane = ev->lane;
        w->state = ON;
        w->since = w->gc_from = ev->at_ns;
        w->timeouts = 0;
        break;
    case SB_EV_out:
        if (w->state == GONE)
            break;
        if (w->state == ON)
            end_slice(w, f, ev->at_ns);
        go_off(w, ev->at_ns, ev->f);
        break;
    case SB_EV_exit:
        if (w->state == ON)
            end_slice(w, f, ev->at_ns);
        if (w->state == OFF)
            judge(m, p, w, f, ev->at_ns, ev);
        w->gc_since = -1;
        w->letters = 0;
        w->state = GONE;
        break;
    case SB_EV_gc_minor_start:
        w->gc_since = w->gc_from = ev->at_ns;
        break;
    case SB_EV_gc_minor_end:
        if (w->gc_since >= 0 && w->state == ON)
            f->gc += ev->at_ns - w->gc_from;
        w->gc_since = -1;
        break;
    case SB_EV_receive:
        if (ev->flags & SB_EVF_TIMEOUT)
            f->timeouts++, w->timeouts++;
        else
            fetch(w, f, ev);
        break;
    case SB_EV_send:
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
    for (size_t i = 0; i < m->n; i++) {
        const struct sb_event *ev = &m->ev[i];
        if (ev->kind == SB_EV_send && index_of(ev->peer) == p) {
            w.box[w.letters++] = (struct letter){ev->at_ns, index_of(ev->who), ev->z, ev->y, false, false};
            f->edge[index_of(ev->who)]++;
        }
        if (index_of(ev->who) == p) {
            end = ev->kind == SB_EV_exit && end < 0 ? ev->at_ns : end;
            own(m, p, &w, f, i);
        }
    }
    if (w.state == ON)
        end_slice(&w, f, m->end);
    if (w.state == OFF)
        f->wait += waited_to_the_end(m, p, w.fn, w.since, w.had_mail || w.spawn);
    int64_t life = (end >= 0 ? end : m->end) - (w.start >= 0 ? w.start : m->t0);
    f->unknown = life - f->run - f->runnable - f->wait;
}

/* ---- comparing ---- */

static struct sb_profile *profile;
static struct sb_sql *sql;
static struct sb_arena arena;

static struct sb_table
ask(const char *statement)
{
    struct sb_table t;
    struct sb_err e = {0};
    struct sb_sql_limits none = {0};
    if (!sb_sql_ask(sql, sb_str_of(statement), NULL, 0, &none, &arena, &t, &e))
        fail_msg("%s: %s", statement, e.what);
    return t;
}

static void
open_profile(const char *path)
{
    struct sb_err e = {0};
    sb_arena_init(&arena);
    if (!sb_profile_open(&profile, path, &e) || !sb_sql_open(&sql, profile, &e))
        fail_msg("%s", e.what);
}

static void
close_profile(void)
{
    sb_sql_close(sql);
    sb_profile_close(profile);
    sb_arena_close(&arena);
}

static void
same(const char *what, unsigned p, int64_t got, int64_t want, uint64_t run)
{
    if (got != want)
        fail_msg("trace %llu, process %u, %s: %lld, reference says %lld", (unsigned long long)run, p, what,
                 (long long)got, (long long)want);
}

static void
compare(const struct model *m, uint64_t run)
{
    struct sb_table t = ask(
        "select pid, run_ns, gc_ns, runnable_ns, wait_ns, unknown_ns, slices, migrations, sends, receives,"
        " timeouts from process order by id");
    static const char *const names[] = {"run",    "gc",         "runnable", "wait",     "unknown",
                                        "slices", "migrations", "sends",    "receives", "timeouts"};
    for (size_t r = 0; r < t.n_rows; r++) {
        const union sb_cell *c = &t.cell[r * t.n_columns];
        unsigned p = (unsigned)atoi(c[0].s.p + 3) - 10;
        const struct figures *f = &m->of[p];
        const int64_t want[] = {f->run,    f->gc,         f->runnable, f->wait,     f->unknown,
                                f->slices, f->migrations, f->sends,    f->receives, f->timeouts};
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

static int64_t
one(const char *statement)
{
    struct sb_table t = ask(statement);
    assert_int_equal(t.n_rows, 1);
    return t.cell[0].i == SB_NULL ? 0 : t.cell[0].i;
}

/* What must hold of any profile. */
static void
check_laws(uint64_t run)
{
    same("life", 0,
         one("select count(*) from process where run_ns + runnable_ns + wait_ns + dirty_ns + unknown_ns !="
             " coalesce(end, (select max(value + 0) from meta where key = 'span_ns')) - coalesce(start, 0)"),
         0, run);
    same("slices of schedulers", 0, one("select sum(slice_ns) from scheduler"),
         one("select sum(run_ns + dirty_ns) from process"), run);
    same("slices", 0, one("select sum(dur) from slice"), one("select sum(run_ns + dirty_ns) from process"),
         run);
    same("sends arrive or not", 0, one("select count(sent) from message"),
         one("select sum(count) from message_edge"), run);
    same("receives", 0, one("select count(received) from message"), one("select sum(receives) from process"),
         run);
    same("states", 0, one("select sum(wait_ns + runnable_ns) from gap"),
         one("select sum(wait_ns + runnable_ns) from process"), run);
    same("levels", 0,
         one("select count(*) from (select level, sum(running_ns + gc_ns + dirty_ns) r, sum(runnable_ns) q,"
             " sum(waiting_ns) w from pyramid where track = 1 group by level) where"
             " r != (select sum(run_ns + dirty_ns) from process) or q != (select sum(runnable_ns) from "
             "process)"
             " or w != (select sum(wait_ns) from process)"),
         0, run);
    same("groups", 0, one("select sum(run_ns) from process_group"), one("select sum(run_ns) from process"),
         run);
}

static char dir[] = "/tmp/sb_engine_XXXXXX";
static const char *
in_dir(const char *name)
{
    static char path[8][128];
    static unsigned next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", dir, name);
    return p;
}

static void
analyze_within(const char *const *paths, size_t n, const char *profile_path, unsigned threads,
               uint64_t memory)
{
    struct sb_engine_options o;
    struct sb_err e = {0};
    sb_engine_defaults(&o);
    o.threads = threads;
    o.memory_bytes = memory;
    if (!sb_engine_analyze(paths, n, profile_path, &o, NULL, &e))
        fail_msg("%s", e.what);
}

static void
analyze(const char *const *paths, size_t n, const char *profile_path, unsigned threads)
{
    analyze_within(paths, n, profile_path, threads, 0);
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

/* ---- the same bytes ---- */

static void
same_bytes(const char *a, const char *b)
{
    struct sb_file x, y;
    struct sb_err e = {0};
    assert_true(sb_file_open(&x, a, &e) && sb_file_open(&y, b, &e));
    assert_int_equal(x.n, y.n);
    assert_memory_equal(x.p, y.p, x.n);
    sb_file_close(&x);
    sb_file_close(&y);
}

static void
neither_threads_nor_order_nor_files_show(void **state)
{
    (void)state;
    seed = 42;
    struct lines l = make_trace(30000, 10, 10, 10);
    const char *trace = in_dir("d.txt"), *whole = in_dir("d.sbp"), *again = in_dir("again.sbp");
    write_lines(trace, &l, 0, l.n);
    analyze(&trace, 1, whole, 1);
    for (unsigned threads = 2; threads <= 8; threads += threads == 2 ? 1 : 5) {
        analyze(&trace, 1, again, threads);
        same_bytes(whole, again);
    }
    for (uint64_t memory = 1 << 10; memory <= 1 << 24; memory <<= 7) { /* many windows, and few */
        analyze_within(&trace, 1, again, 2, memory);
        same_bytes(whole, again);
    }
    shuffle(&l);
    write_lines(trace, &l, 0, l.n);
    analyze(&trace, 1, again, 2);
    same_bytes(whole, again);
    const char *parts[] = {in_dir("part0.txt"), in_dir("part1.txt"), in_dir("part2.txt")};
    write_lines(parts[0], &l, 0, 7);
    write_lines(parts[1], &l, 7, 20000);
    write_lines(parts[2], &l, 20000, l.n);
    analyze(parts, 3, again, 2);
    same_bytes(whole, again);
    free(l.at);
}

/* ---- profiles to one ---- */

static void
merge(const char *const *paths, size_t n, const char *profile_path)
{
    struct sb_engine_options o;
    struct sb_err e = {0};
    sb_engine_defaults(&o);
    o.threads = 1;
    if (!sb_engine_merge(paths, n, profile_path, &o, NULL, &e))
        fail_msg("%s", e.what);
}

/* Takes out what the dead did. */
static void
bury(struct lines *l)
{
    bool gone[PROCESSES] = {0};
    size_t kept = 0;
    for (size_t i = 0; i < l->n; i++) {
        unsigned p = 0;
        sscanf(l->at[i], "%*d <0.%u.0>", &p);
        assert_in_range(p, 10, 10 + PROCESSES - 1);
        if (!gone[p - 10])
            memmove(l->at[kept++], l->at[i], sizeof *l->at);
        gone[p - 10] |= strstr(l->at[i], " exit ") != NULL;
    }
    l->n = kept;
}

/* Random traces, whole and wild: the profile told again is the profile. */
static void
a_profile_is_a_trace(void **state)
{
    (void)state;
    for (unsigned run = 1; run <= MERGES; run++) {
        seed = run * 0x9e3779b97f4a7c15u;
        struct lines l = make_trace(20 + dice(run % 10 == 0 ? 3000 : 200), run % 3 * 7, run % 4 * 30, 0);
        bury(&l);
        const char *trace = in_dir("r.txt"), *out = in_dir("r.sbp"), *again = in_dir("again.sbp");
        write_lines(trace, &l, 0, l.n);
        free(l.at);
        analyze(&trace, 1, out, 1);
        merge(&out, 1, again);
        same_bytes(out, again);
    }
}

/* The processes with odd numbers live on another node, whose clock is off. */
static void
write_node(const char *path, const struct lines *l, unsigned node)
{
    static const char *const names[] = {"a@h", "b@h"};
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "@meta node=%s creation=1\n", names[node]);
    for (size_t i = 0; i < l->n; i++) {
        unsigned p = 0, peer = 0;
        long at = 0;
        int from = 0;
        sscanf(l->at[i], "%ld <0.%u.0>%n", &at, &p, &from);
        const char *rest = l->at[i] + from, *named = strstr(rest, "=<0.");
        if (p % 2 != node)
            continue;
        fprintf(f, "%ld <0.%u.0>", at + (node ? 3000 : 0), p);
        const char *end = named ? strchr(named, '>') + 1 : rest + strlen(rest);
        if (named)
            sscanf(named, "=<0.%u", &peer);
        fprintf(f, "%.*s", (int)(end - rest), rest);
        if (named && peer % 2 != node)
            fprintf(f, "@%s/1", names[!node]);
        fprintf(f, "%s\n", end);
    }
    fclose(f);
}

/* What two nodes know of each other comes together, as if one trace had told it. */
static void
profiles_of_two_nodes_are_those_of_one_analysis(void **state)
{
    (void)state;
    for (unsigned run = 1; run <= MERGES; run++) {
        seed = run * 0x9e3779b97f4a7c15u;
        struct lines l = make_trace(20 + dice(run % 10 == 0 ? 3000 : 200), run % 3 * 7, run % 4 * 30, 0);
        bury(&l);
        const char *a = in_dir("a.txt"), *b = in_dir("b.txt"), *pa = in_dir("part0.txt"), *pb = in_dir("part1.txt");
        const char *out = in_dir("r.sbp"), *again = in_dir("again.sbp");
        write_node(a, &l, 0);
        write_node(b, &l, 1);
        free(l.at);
        analyze((const char *[]){a, b}, 2, out, 1);
        analyze(&a, 1, pa, 1);
        analyze(&b, 1, pb, 1);
        merge((const char *[]){pb, pa}, 2, again);
        same_bytes(out, again);
    }
}

/* ---- two nodes ---- */

static void
write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* b's clock is 500 us ahead; a message of 1 us each way bounds it to half a microsecond. */
static void
clocks_of_two_nodes_are_aligned(void **state)
{
    (void)state;
    const char *a = in_dir("a.txt"), *b = in_dir("b.txt"), *out = in_dir("r.sbp"),
               *again = in_dir("again.sbp");
    write_text(a, "@meta node=a@h creation=1\n"
                  "1us <0.5.0> 1 in mfa=m:f/0\n"
                  "2us <0.5.0> 1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=11\n"
                  "9us <0.5.0> 1 receive words=3 ext=9 hash=22\n"
                  "10us <0.5.0> 1 out mfa=m:f/0\n");
    write_text(b, "@meta node=b@h creation=1\n"
                  "501us <0.7.0> 1 in mfa=m:g/0\n"
                  "503us <0.7.0> 1 receive words=3 ext=9 hash=11\n"
                  "508us <0.7.0> 1 send to=<0.5.0>@a@h/1 words=3 ext=9 hash=22\n"
                  "509us <0.7.0> 1 out mfa=m:g/0\n");
    analyze((const char *[]){a, b}, 2, out, 1);
    analyze((const char *[]){b, a}, 2, again, 2);
    same_bytes(out, again);
    open_profile(out);
    assert_int_equal(one("select clock_offset_ns from node where name = 'b@h'"), -500000);
    assert_int_equal(one("select clock_error_ns from node where name = 'b@h'"), 1000);
    assert_int_equal(one("select count(*) from process"), 2);
    assert_int_equal(one("select count(*) from message where received - sent = 1000"), 2);
    assert_int_equal(one("select count(*) from message_edge where latency_ns < 1000"), 0);
    assert_int_equal(one("select sum(count) from node_edge where from_node != to_node"), 2);
    check_laws(0);
    close_profile();
}

static int
make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int
remove_dir(void **state)
{
    (void)state;
    static const char *const names[] = {"r.txt",     "r.sbp",     "d.txt",     "d.sbp", "again.sbp",
                                        "part0.txt", "part1.txt", "part2.txt", "a.txt", "b.txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_dir(names[i]));
    return rmdir(dir);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_traces_agree),
                                       cmocka_unit_test(neither_threads_nor_order_nor_files_show),
                                       cmocka_unit_test(a_profile_is_a_trace),
                                       cmocka_unit_test(profiles_of_two_nodes_are_those_of_one_analysis),
                                       cmocka_unit_test(clocks_of_two_nodes_are_aligned)};
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
