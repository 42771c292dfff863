#include "why/find/naps.h"
#include "base/order.h"
#include "profile/scan_row.h"

SB_RULE(polling) = {
    .name = "polling",
    .looks_for = "processes that sleep, look whether something happened, and sleep again; or that sleep "
                 "while a message is there",
    .erlang = "wait for a message in a receive, and let the process that has the news send it",
    .elixir = "wait for a message in receive or handle_info, and let the process that has the news send it",
    .needs_all = true,
    .find = find,
};

enum { FEWEST = 5 };

struct pollers {
    int64_t n;                     /* processes */
    int64_t most, looks, slept_ns; /* who slept longest, its looks without a find and their sleeps */
    int32_t function;
    struct sb_ranges late, most_late; /* from the news to the end of a sleep, and from its earliest moment */
    uint8_t *is_look;                 /* by step: the slice found nothing */
    SB_VEC(int64_t) candidates;       /* process.id of those that sleep and look */
    uint8_t *polls;                   /* by process.id: they find what others did */
    uint32_t *alike;                  /* by process.group_id: candidates */
    struct sb_naps_of of;
};

static bool
ends_looks(const sb_naps *v, size_t i)
{
    return i > 0 && v->at[i].found && !v->at[i - 1].found;
}

/* A process that found something once at least polled for it; another one only lets time pass. */
static int64_t
count_looks(const sb_naps *v)
{
    int64_t looks = 0, found = 0;
    for (size_t i = 0; i < v->n; i++) {
        looks += !v->at[i].found;
        found += ends_looks(v, i);
    }
    return found > 0 ? looks : 0;
}

/* A behaviour takes messages while its timer runs, so it has no need to look for them: its ticks are looks only where
 * each makes a request. */
static bool
is_ticking(const struct sb_why *w, const sb_naps *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (!v->at[i].found && v->at[i].asked != 0)
            return false;
    return v->n > 0 && sb_is_loop(sb_evidence_text(&w->x, w->x.step[v->at[0].first - 1].out));
}

/* Sleeps of one who polls are as long as the one before, or longer: one that is often shorter lasts until something is
 * due, as that of a client which sends so many requests a second. */
static bool
is_paced(const sb_naps *v)
{
    enum { JITTER_NS = 2000000, SOME = 4 };
    int64_t rows = 0, shorter = 0;
    for (size_t i = 1; i < v->n; i++) {
        int64_t before = v->at[i - 1].to - v->at[i - 1].from, less = before - (v->at[i].to - v->at[i].from);
        rows += !v->at[i - 1].found;
        shorter += !v->at[i - 1].found && less > JITTER_NS && 10 * less > before;
    }
    return SOME * shorter >= rows;
}

struct moment {
    int64_t at, group;
};
typedef SB_VEC(struct moment) moments;

SB_ORDER(by_at, struct moment, SB_UP(at) ?: SB_UP(group))

/* The ends of all slices of the program that are no looks. */
static void
read_ends(const struct sb_why *w, const struct pollers *p, moments *v)
{
    v->n = 0;
    SB_EACH_PRESENT (&w->x, id)
        for (uint32_t i = 0; w->x.actor[id].is_program && i < w->x.actor[id].n; i++) {
            const struct sb_step *s = &w->x.step[w->x.actor[id].first + i];
            if (!p->is_look[w->x.actor[id].first + i])
                *SB_PUSH(v) = (struct moment){s->start + s->dur, w->x.actor[id].group};
        }
    SB_SORT(v, by_at);
}

/* The last moment in the sleep at which a process of another group had worked; SB_NULL: none did, or long before. */
static int64_t
news_of(const moments *ends, const struct sb_nap *nap, int64_t group)
{
    enum { MANY = 256 };
    size_t lo = 0, hi = ends->n, least;
    SB_SEARCH(lo, hi, ends->at[mid].at <= nap->to);
    for (least = lo > MANY ? lo - MANY : 0; lo > least && ends->at[lo - 1].at > nap->from; lo--)
        if (ends->at[lo - 1].group != group)
            return ends->at[lo - 1].at;
    return SB_NULL;
}

/* The same number of sleeps before each find: it takes time for each piece of work, and looks for nothing. */
static bool
is_counted(const sb_naps *v)
{
    int64_t looks = 0, before = -1;
    for (size_t i = 0; i < v->n; i++) {
        bool acts = v->at[i].found && !v->at[i].only_worked;
        if (acts && before >= 0 && looks != before)
            return false;
        before = acts ? looks : before;
        looks = acts ? 0 : looks + 1;
    }
    return true;
}

/* Others had worked before what it found, and seldom before what it did not. A client that thinks between its requests,
 * some of which cost more, or a loop that counts, does not wait for anybody; of many alike one may look as if it did.
 * News from outside of the program are believed where it slept otherwise, and did something for them twice. */
static bool
has_news(const struct sb_why *w, const struct pollers *p, int64_t id, const sb_naps *v, const moments *ends)
{
    static const double CHANCE = 0.1, FEW = 0.1;
    int64_t finds = 0, acts = 0, seen = 0, looks = 0, others = 0, group = w->x.actor[id].group;
    for (size_t i = 0; i < v->n; i++) {
        bool is_seen = news_of(ends, &v->at[i], group) != SB_NULL;
        looks += !v->at[i].found;
        others += !v->at[i].found && is_seen;
        finds += ends_looks(v, i);
        acts += ends_looks(v, i) && !v->at[i].only_worked;
        seen += ends_looks(v, i) && is_seen;
    }
    double most = p->alike[group]; /* the most that the chance of `seen` or more of `finds` can be */
    for (int64_t i = 0; i < seen; i++)
        most *= ((double)others + FEW) / ((double)looks + 2 * FEW) * (double)(finds - i) / (double)(i + 1);
    return seen + others == 0 ? acts > 1 && !is_counted(v) : most <= CHANCE;
}

/* The news came with the last slice before the end of the sleep. Without one it came from outside the program, at an
 * unknown moment: half of the sleep is the mean. */
static void
add_poller(const struct sb_why *w, int64_t id, const sb_naps *v, const moments *ends, struct pollers *p)
{
    int64_t ns = 0;
    for (size_t i = 0; i < v->n; i++) {
        const struct sb_nap *nap = &v->at[i];
        int64_t news = news_of(ends, nap, w->x.actor[id].group);
        if (!nap->found) {
            ns += nap->to - nap->from;
            continue;
        }
        sb_ranges_add(&p->late, news != SB_NULL ? news : nap->from + (nap->to - nap->from) / 2, nap->to);
        sb_ranges_add(&p->most_late, news != SB_NULL ? news : nap->from, nap->to);
    }
    p->n++;
    if (ns > p->slept_ns) {
        p->most = id;
        p->looks = count_looks(v);
        p->slept_ns = ns;
        p->function = w->x.step[v->at[0].first - 1].out;
    }
}

static void
find_candidates(const struct sb_why *w, struct pollers *p)
{
    SB_SCOPED sb_naps v = {0};
    for (int64_t id = 1; id < w->x.n_actors; id++) {
        int64_t group = w->x.actor[id].group; /* of a file: it may be any number */
        if (w->x.actor[id].timeouts < FEWEST || group < 0 || group >= w->x.n_actors)
            continue;
        sb_naps_read(&p->of, id, &v);
        if (count_looks(&v) < FEWEST || is_ticking(w, &v) || is_paced(&v) ||
            !(w->x.actor[id].is_program ||
              sb_is_sleep(sb_evidence_text(&w->x, w->x.step[v.at[0].first - 1].out))))
            continue;
        *SB_PUSH(&p->candidates) = id;
        p->polls[id] = 1;
        p->alike[group]++;
    }
}

/* The looks of those that poll are no news for others. */
static void
judge_candidates(const struct sb_why *w, struct pollers *p, moments *ends)
{
    SB_SCOPED sb_naps v = {0};
    memset(p->is_look, 0, w->x.n_steps);
    for (size_t i = 0; i < p->candidates.n; i++)
        if (p->polls[p->candidates.at[i]]) {
            sb_naps_read(&p->of, p->candidates.at[i], &v);
            for (size_t n = 0; n < v.n; n++)
                if (!v.at[n].found)
                    memset(p->is_look + v.at[n].first, 1, v.at[n].last - v.at[n].first + 1);
        }
    read_ends(w, p, ends);
    for (size_t i = 0; i < p->candidates.n; i++) {
        sb_naps_read(&p->of, p->candidates.at[i], &v);
        p->polls[p->candidates.at[i]] = has_news(w, p, p->candidates.at[i], &v, ends);
    }
}

static void
find_pollers(const struct sb_why *w, struct pollers *p)
{
    SB_SCOPED sb_naps v = {0};
    SB_SCOPED moments ends = {0};
    find_candidates(w, p);
    if (p->candidates.n == 0)
        return;
    judge_candidates(w, p, &ends); /* as if all of them polled */
    judge_candidates(w, p, &ends);
    for (size_t i = 0; i < p->candidates.n; i++)
        if (p->polls[p->candidates.at[i]]) {
            sb_naps_read(&p->of, p->candidates.at[i], &v);
            add_poller(w, p->candidates.at[i], &v, &ends, p);
        }
}

static void
put(struct sb_why *w, const struct pollers *p)
{
    int64_t late = sb_ranges_within(&p->late, &w->x.level, SB_LEVEL_IDLE),
            most = sb_ranges_within(&p->most_late, &w->x.level, SB_LEVEL_IDLE);
    struct sb_finding f = {
        .process = p->most,
        .gain = {0, late, most},
        .confidence = "medium",
        .evidence =
            "SELECT who(process), function, count, total_ns, max_ns FROM wait WHERE process = {process}",
    };
    sb_why_put(w, f,
               "%s %s slept, looked and slept again, %s most: at least %s times, %s each in %s; the "
               "program stood still for %s%s after the event until the sleep was over",
               sb_words_count(w->arena, p->n), p->n == 1 ? "process" : "processes", sb_why_who(w, p->most),
               sb_words_count(w->arena, p->looks), sb_words_ns(w->arena, p->slept_ns / p->looks),
               sb_why_function(w, p->function), most > late ? "at most " : "", sb_words_ns(w->arena, most));
}

/* ---- sleeps while the news are there ---- */

/* Nobody waits for its reply: the last message that it took has been answered, or is itself an answer. */
static bool
is_free(const struct sb_why *w, int64_t id, uint32_t taken, int64_t at)
{
    if (taken == w->x.inbox[id])
        return true;
    const struct sb_letter *l = &w->x.letter[taken - 1];
    return l->sender > 0 && (sb_evidence_asks(&w->x, id, l->sender) ||
                             sb_evidence_sent_to(&w->x, id, l->sender, sb_evidence_receipt(l), at));
}

/* The sending of the first message that came in the sleep, and was fetched before the next wait, though a sleep takes
 * none; SB_NULL: there is none. */
static int64_t
news_within(const struct sb_why *w, int64_t id, const struct sb_nap *nap, uint32_t taken)
{
    int64_t first = SB_NULL, until = w->x.step[nap->last].start + w->x.step[nap->last].dur;
    for (uint32_t i = taken; i < w->x.inbox[id + 1] && sb_evidence_receipt(&w->x.letter[i]) <= until; i++) {
        const struct sb_letter *l = &w->x.letter[i];
        bool came = l->sender > 0 && l->received != SB_NULL && l->sent > nap->from && l->sent < nap->to;
        first = came && (first == SB_NULL || l->sent < first) ? l->sent : first;
    }
    return first;
}

struct deaf { /* processes that sleep in a function that takes no message */
    int64_t n, most, times, late_ns;
    struct sb_ranges late;   /* from the news to the end of the sleep */
    struct sb_ranges sleeps; /* all of theirs: a cure replaces those without known news as well */
};

static void
add_ranges(struct sb_ranges *to, const struct sb_ranges *of)
{
    for (size_t i = 0; i < of->n; i++)
        sb_ranges_add(to, of->at[i].from, of->at[i].to);
}

static void
add_deaf(const struct sb_why *w, int64_t id, const sb_naps *v, struct deaf *d)
{
    uint32_t taken = w->x.inbox[id], end = w->x.inbox[id + 1];
    SB_SCOPED struct sb_ranges late = {0}, sleeps = {0};
    for (size_t i = 0; i < v->n; i++) {
        const struct sb_nap *nap = &v->at[i];
        if (!sb_is_sleep(sb_evidence_text(&w->x, w->x.step[nap->first - 1].out)))
            continue;
        while (taken < end && sb_evidence_receipt(&w->x.letter[taken]) <= nap->from)
            taken++;
        int64_t news = is_free(w, id, taken, nap->from) ? news_within(w, id, nap, taken) : SB_NULL;
        sb_ranges_add(&sleeps, nap->from, nap->to);
        if (news != SB_NULL)
            sb_ranges_add(&late, news, nap->to);
    }
    int64_t ns = sb_ranges_ns(&late);
    if (late.n >= FEWEST) {
        d->n++;
        add_ranges(&d->late, &late);
        add_ranges(&d->sleeps, &sleeps);
        if (ns > d->late_ns) {
            d->most = id;
            d->times = (int64_t)late.n;
            d->late_ns = ns;
        }
    }
}

static void
put_deaf(struct sb_why *w, const struct deaf *d)
{
    int64_t idle = sb_ranges_within(&d->late, &w->x.level, SB_LEVEL_IDLE);
    int64_t sleeps = sb_ranges_within(&d->sleeps, &w->x.level, SB_LEVEL_IDLE);
    const char *others = d->n > 1 ? sb_words(w->arena, " and %lld more", (long long)d->n - 1) : "",
               *late = sb_words_ns(w->arena, idle), *all = sb_words_ns(w->arena, sleeps);
    struct sb_finding f = {
        .process = d->most,
        .gain = {0, idle, sleeps},
        .confidence = "medium",
        .evidence = "SELECT who(sender), count(*), sum(received - sent), max(received - sent) FROM message "
                    "WHERE receiver = {process} GROUP BY 1 ORDER BY 3 DESC LIMIT 10",
    };
    sb_why_put(w, f,
               "%s%s slept while messages for it were there, %s times, %s each until it took them; nothing "
               "was at work for %s of that%s",
               sb_why_who(w, d->most), others, sb_words_count(w->arena, d->times),
               sb_words_ns(w->arena, d->late_ns / d->times), late,
               strcmp(late, all) == 0 ? "" : sb_words(w->arena, ", and for %s of all its sleeps", all));
}

/* A trace shows when messages come into reach of a process, not when it takes them: they are there until then. */
static bool
leaves_them(const struct sb_why *w, int64_t id)
{
    int64_t there = SB_CELL(w->x.profile, process, peak_mailbox, (uint64_t)id - 1);
    return there > 0 && there >= (w->x.inbox[id + 1] - w->x.inbox[id]) / 2;
}

static void
find_deaf(struct sb_why *w, const struct pollers *p)
{
    struct deaf d = {0};
    SB_SCOPED sb_naps v = {0};
    for (int64_t id = 1; id < w->x.n_actors; id++)
        if (w->x.actor[id].timeouts >= FEWEST && w->x.actor[id].service == SB_SERVICE_NONE &&
            !sb_why_has_alike(w, id, NULL) && !leaves_them(w, id)) {
            sb_naps_read(&p->of, id, &v);
            add_deaf(w, id, &v, &d);
        }
    sb_ranges_unite(&d.late);
    sb_ranges_unite(&d.sleeps);
    if (d.n > 0)
        put_deaf(w, &d);
    SB_VEC_FREE(&d.late);
    SB_VEC_FREE(&d.sleeps);
}

static void
find(struct sb_why *w)
{
    struct pollers p = {.is_look = SB_NEW_N(w->arena, uint8_t, w->x.n_steps + 1),
                        .polls = SB_NEW_N(w->arena, uint8_t, w->x.n_actors + 1),
                        .alike = SB_NEW_N(w->arena, uint32_t, w->x.n_actors + 1)};
    sb_naps_open(w, &p.of);
    find_pollers(w, &p);
    if (p.n > 0) {
        sb_ranges_unite(&p.late);
        sb_ranges_unite(&p.most_late);
        put(w, &p);
    }
    find_deaf(w, &p);
    SB_VEC_FREE(&p.candidates);
    SB_VEC_FREE(&p.late);
    SB_VEC_FREE(&p.most_late);
}
