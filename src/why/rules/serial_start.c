#include "why/find/finding.h"
#include "base/order.h"

SB_RULE(serial_start) = {
    .name = "serial_start",
    .looks_for = "a supervisor that starts children one after the other, each waiting in its init",
    .erlang = "return {ok, State, {continue, load}} from init/1 and do the slow part in handle_continue/2",
    .elixir = "return {:ok, state, {:continue, :load}} from init/1 and do the slow part in handle_continue/2",
    .find = find,
};

static const struct sb_cure each_test = {
    .where = "the tests of a suite start such a supervisor again and again",
    .erlang =
        "start it once for all tests, in init_per_suite of Common Test or a setup fixture around them, and "
        "let each test put its own data in order; or make init/1 return {ok, State, {continue, load}} and "
        "do the slow part in handle_continue/2",
    .elixir =
        "start it once for all tests, with start_supervised in setup_all or in test_helper.exs, and let each "
        "test put its own data in order; or make init/1 return {:ok, state, {:continue, :load}} and do "
        "the slow part in handle_continue/2",
};

struct starts {                               /* by a supervisor, or by several with one entry, or one name */
    int64_t n, total_ns, longest_ns, rest_ns; /* rest_ns: without the longest one of each supervisor */
    int64_t supervisors, most, most_ns;       /* the one that waited longest */
    int64_t tests;                            /* that began one, setup included */
    const struct sb_test *last;
    int64_t key; /* the text that they have in common; 0: none */
    struct sb_ranges waits;
};
typedef SB_VEC(struct starts) all_starts;

/*
 * Requests of others and ends of earlier children wake a supervisor while it waits for a child. Children start in the
 * order in which they are spawned, so the one that ends the wait for good was spawned after those before. A child that
 * starts after another one has crashed takes its place: it could not have started together with those before.
 */
static struct starts
starts_of(const struct sb_why *w, int64_t process)
{
    struct starts t = {0};
    int64_t ns = 0, spawned = SB_NULL;
    size_t counted = 0; /* of the waits */
    SB_EACH_STEP (&w->x, process, s) {
        if (s->wait == SB_WAIT_NONE ||
            !sb_str_starts(sb_evidence_text(&w->x, s->out), SB_STR("proc_lib:sync_start")))
            continue;
        ns += s->wait_ns;
        sb_ranges_add(&t.waits, s->start + s->dur, s->start + s->dur + s->wait_ns);
        const struct sb_actor *child = &w->x.actor[s->waker];
        if (s->waker <= 0 || child->parent != process || child->start == SB_NULL || child->start <= spawned)
            continue;
        if (sb_families_crashed(&w->families, process, spawned, child->start)) {
            t.waits.n = counted;
        } else {
            t.n++;
            t.total_ns += ns;
            t.longest_ns = ns > t.longest_ns ? ns : t.longest_ns;
        }
        counted = t.waits.n;
        spawned = child->start;
        ns = 0;
    }
    sb_ranges_unite(&t.waits);
    return t;
}

/* The program's part may begin in the init of the first child: the wait for it started before, and has no step. */
static void
add_first(const struct sb_why *w, int64_t process, struct starts *t)
{
    if (t->n == 0)
        return;
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        const struct sb_traffic *ack = a->parent == process ? sb_evidence_edge(&w->x, id, process) : NULL;
        if (!ack || !a->is_program || a->start == SB_NULL || a->start > w->x.t0 || ack->first <= w->x.t0 ||
            ack->first > t->waits.at[0].from)
            continue;
        int64_t ns = ack->first - w->x.t0;
        t->n++;
        t->total_ns += ns;
        t->longest_ns = ns > t->longest_ns ? ns : t->longest_ns;
        sb_ranges_add(&t->waits, w->x.t0, ack->first);
        sb_ranges_unite(&t->waits);
        return;
    }
}

/* The entry; behind one of OTP, such as that of Elixir's supervisors without a module, may be any: then the name. */
static int64_t
key_of(const struct sb_why *w, int64_t process)
{
    int64_t entry = w->x.actor[process].entry;
    if (entry > 0 && !sb_is_otp(sb_profile_text(w->x.profile, entry)))
        return entry;
    int64_t name = sb_profile_cell(w->x.profile, SB_T_process, SB_C_process__name, (uint64_t)process - 1);
    return name > 0 ? name : 0;
}

static bool
prepares_or_runs(const struct sb_test *t, int64_t at)
{
    bool yes = !t->is_setup && at >= t->from_ns && at < t->to_ns;
    for (size_t i = 0; i < t->n_fixtures; i++)
        yes |= at >= t->fixture[i].from_ns && at < t->fixture[i].to_ns;
    return yes;
}

/* The test that the process began in; NULL: none. */
static const struct sb_test *
test_of(const struct sb_why *w, int64_t process)
{
    const struct sb_test *test = w->tests.at;
    int64_t at = w->x.actor[process].start;
    size_t lo = 0, hi = w->tests.n;
    SB_SEARCH(lo, hi, test[mid].from_ns <= at);
    return lo < w->tests.n && prepares_or_runs(&test[lo], at) ? &test[lo]
           : lo > 0 && prepares_or_runs(&test[lo - 1], at)    ? &test[lo - 1]
                                                              : NULL;
}

static void
add(const struct sb_why *w, int64_t id, const struct starts *one, all_starts *all)
{
    int64_t key = key_of(w, id);
    size_t i = key > 0 ? 0 : all->n;
    while (i < all->n && all->at[i].key != key)
        i++;
    if (i == all->n)
        *SB_PUSH(all) = (struct starts){.key = key};
    struct starts *t = &all->at[i];
    const struct sb_test *test = test_of(w, id);
    t->n += one->n;
    t->total_ns += one->total_ns;
    t->longest_ns = one->longest_ns > t->longest_ns ? one->longest_ns : t->longest_ns;
    t->rest_ns += one->total_ns - one->longest_ns;
    t->supervisors++;
    t->tests += test && test != t->last;
    t->last = test;
    t->most = one->total_ns > t->most_ns ? id : t->most;
    t->most_ns = one->total_ns > t->most_ns ? one->total_ns : t->most_ns;
    for (size_t r = 0; r < one->waits.n; r++)
        sb_ranges_add(&t->waits, one->waits.at[r].from, one->waits.at[r].to);
}

static void
put(struct sb_why *w, struct starts *t)
{
    bool several = t->supervisors > 1, once = t->tests > 1 && 2 * t->tests > t->supervisors;
    sb_ranges_unite(&t->waits);
    int64_t quiet = sb_ranges_within(&t->waits, &w->x.level, SB_LEVEL_QUIET),
            idle = sb_ranges_within(&t->waits, &w->x.level, SB_LEVEL_IDLE),
            rest = sb_least(once ? t->total_ns - t->most_ns : t->rest_ns, sb_ranges_ns(&t->waits));
    const char *who = sb_why_who(w, t->most),
               *all = several ? sb_words(w->arena, "%s supervisors started alike, such as %s,",
                                         sb_words_count(w->arena, t->supervisors), who)
                              : who,
               *of = once ? sb_words(w->arena, "; %s tests, or their setup, began one each",
                                     sb_words_count(w->arena, t->tests))
                          : "";
    struct sb_finding f = {
        .process = t->most,
        .subject = who,
        .gain = {0, sb_least(rest, idle + sb_why_spread(w, quiet > idle ? quiet - idle : 0)), rest},
        .confidence = "high",
        .cure = once ? &each_test : NULL,
        .evidence = several
                        ? "SELECT who(process), function, count, total_ns, max_ns FROM wait WHERE function "
                          "LIKE 'proc_lib:sync_start%' ORDER BY total_ns DESC"
                        : "SELECT function, count, total_ns, max_ns FROM wait WHERE process = {process}",
    };
    sb_why_put(w, f,
               "%s started %s processes one after the other and waited %s for their init, up to %s for one%s",
               all, sb_words_count(w->arena, t->n), sb_words_ns(w->arena, t->total_ns),
               sb_words_ns(w->arena, t->longest_ns), of);
}

static void
find(struct sb_why *w)
{
    SB_SCOPED all_starts all = {0};
    SB_EACH_PRESENT (&w->x, id) {
        struct starts t = starts_of(w, id);
        add_first(w, id, &t);
        if (t.n > 1)
            add(w, id, &t, &all);
        SB_VEC_FREE(&t.waits);
    }
    for (size_t i = 0; i < all.n; i++) {
        put(w, &all.at[i]);
        SB_VEC_FREE(&all.at[i].waits);
    }
}
