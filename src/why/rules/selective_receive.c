#include "why/find/finding.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include <math.h>

SB_RULE(selective_receive) = {
    .name = "selective_receive",
    .looks_for = "a process that waits for one message while many others lie in its mailbox, so that each "
                 "receive looks at all of them",
    .erlang = "take the other messages first, receive by a reference made just before (as gen_server:call "
              "does), or let another process take them",
    .elixir = "take the other messages first, receive by a reference made just before (as GenServer.call "
              "does), or let another process take them",
    .of_work = true,
    .of_requests = true,
    .find = find,
};

enum { LONG_MAILBOX = 500, FEWEST = 20, FEWEST_ASKED = 5, FEWEST_LENGTHS = 6 };
#define LEAST_SPREAD 0.05 /* of the lengths: their variance by the mean of their squares */
#define LOOK_NS 0.25 /* at a message takes longer: 3 to 5 ns in long mailboxes, 15 beside other programs */
#define MOST_LOOK_NS 40.0

struct length {
    int64_t at, n;
    int64_t came, work_ns; /* since the sample before */
};
typedef SB_VEC(struct length) lengths;

static void
count_arrivals(const struct sb_why *w, int64_t id, lengths *v)
{
    for (uint32_t i = w->x.inbox[id]; i < w->x.inbox[id + 1]; i++) {
        const struct sb_letter *l = &w->x.letter[i];
        size_t lo = 0, hi = v->n;
        SB_SEARCH(lo, hi, v->at[mid].at < (l->sent != SB_NULL ? l->sent : l->received));
        if (lo < v->n)
            v->at[lo].came++;
    }
}

static void
read_lengths(const struct sb_why *w, int64_t process, lengths *v)
{
    v->n = 0;
    SB_SCAN(s, w->x.profile, sample, at, value);
    sb_scan_where(&s, SB_C_sample__process, process, process);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        *SB_PUSH(v) = (struct length){s.value[at][i], s.value[value][i], 0, 0};
    count_arrivals(w, process, v);
    SB_EACH_STEP (&w->x, process, step) {
        size_t lo = 0, hi = v->n;
        SB_SEARCH(lo, hi, v->at[mid].at < step->start);
        if (lo < v->n)
            v->at[lo].work_ns += step->dur;
    }
}

static double
taken_in(const lengths *v, size_t i)
{
    return (double)(v->at[i + 1].came + v->at[i].n - v->at[i + 1].n);
}

static double
mean_in(const lengths *v, size_t i)
{
    return (double)(v->at[i].n + v->at[i + 1].n) / 2;
}

/* What a look at a message takes, from `low` to `high` with two standard errors: the work for a message that was taken
 * as a + b * the length of the mailbox, by least squares. A receive that takes one of the first messages works as long
 * whatever the length is. Returns false if too few lengths that differ were seen. */
static bool
time_of_look(const lengths *v, double *low, double *high)
{
    double n = 0, nx = 0, nxx = 0, y = 0, xy = 0, rest = 0, k = 0;
    for (size_t i = 0; i + 1 < v->n; i++) {
        double taken = taken_in(v, i), x = mean_in(v, i), work = (double)v->at[i + 1].work_ns;
        if (taken <= 0)
            continue;
        n += taken, nx += taken * x, nxx += taken * x * x, y += work, xy += work * x, k++;
    }
    double spread = n * nxx - nx * nx;
    if (k < FEWEST_LENGTHS || spread < LEAST_SPREAD * n * nxx)
        return false;
    double b = (n * xy - nx * y) / spread, a = (y - b * nx) / n;
    for (size_t i = 0; i + 1 < v->n; i++) {
        double taken = taken_in(v, i);
        double off = taken > 0 ? (double)v->at[i + 1].work_ns - taken * (a + b * mean_in(v, i)) : 0;
        rest += taken > 0 ? off * off / taken : 0;
    }
    double error = sqrt(rest / (k - 2) * n / spread);
    *low = b - 2 * error;
    *high = b + 2 * error;
    return true;
}

/* The ranges between two samples that both saw a long mailbox. Returns how often a message was looked at, if each
 * receive in them looked at all. */
static double
long_ranges(const lengths *v, struct sb_ranges *out, int64_t *most)
{
    double looks = 0;
    for (size_t i = 0; i + 1 < v->n; i++)
        if (v->at[i].n >= LONG_MAILBOX && v->at[i + 1].n >= LONG_MAILBOX) {
            sb_ranges_add(out, v->at[i].at, v->at[i + 1].at);
            *most = v->at[i].n > *most ? v->at[i].n : *most;
            looks += fmax(taken_in(v, i), 0) * mean_in(v, i);
        }
    sb_ranges_unite(out);
    return looks;
}

static bool
is_within(const struct sb_ranges *r, int64_t from, int64_t to)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->at[i].from <= from && to <= r->at[i].to)
            return true;
    return false;
}

struct waits {
    int64_t n, sure; /* all, and those in functions where it mostly went out to wait */
    int64_t asked;   /* those for a reply, which a process of the trace sent */
};

/* How often a process went out in a function to wait, and how often although it could go on. */
struct place {
    int32_t function;
    int64_t waits, others;
};
typedef SB_VEC(struct place) places;

static struct place *
place_of(places *v, int32_t function)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->at[i].function == function)
            return &v->at[i];
    *SB_PUSH(v) = (struct place){.function = function};
    return &v->at[v->n - 1];
}

static void
count_places(const struct sb_why *w, int64_t id, places *v)
{
    SB_EACH_STEP (&w->x, id, s) {
        struct place *p = place_of(v, s->out);
        p->waits += s->wait != SB_WAIT_NONE;
        p->others += s->wait == SB_WAIT_NONE;
    }
}

/* A call of OTP receives by a reference made just before: it looks at no earlier message. The loop of a behaviour takes
 * the first one. Where it mostly went out although it could go on, a message that came by chance meanwhile looks like
 * the end of a wait; or it looks at messages for long. */
static struct waits
count_waits(const struct sb_why *w, int64_t id, const struct sb_ranges *r)
{
    struct waits c = {0};
    SB_SCOPED places at = {0};
    count_places(w, id, &at);
    SB_EACH_STEP (&w->x, id, s) {
        int64_t from = s->start + s->dur;
        struct sb_str out = sb_evidence_text(&w->x, s->out);
        const struct place *p = place_of(&at, s->out);
        bool waits = s->wait != SB_WAIT_NONE && !sb_is_call(out) && !sb_is_loop(out) &&
                     is_within(r, from, from + s->wait_ns);
        c.n += waits;
        c.sure += waits && p->waits > p->others;
        c.asked += waits && s->waker > 0 && s->wait == SB_WAIT_ASKED;
    }
    return c;
}

struct scan {
    double looks, low, high; /* at messages, if each receive looks at all; ns of one */
    bool known;
};

static void
put(struct sb_why *w, int64_t id, const struct sb_ranges *r, int64_t most, const struct scan *scan)
{
    SB_SCOPED struct sb_ranges work = {0};
    sb_slices_of(&w->x, id, &work);
    sb_ranges_cut(&work, r);
    int64_t ns = sb_ranges_ns(&work), share = sb_ranges_within(&work, &w->x.level, SB_LEVEL_SHARE);
    double looked = scan->looks * (scan->known ? scan->high : MOST_LOOK_NS);
    if ((double)ns < LOOK_NS * scan->looks) /* most receives took one of the first messages */
        return;
    struct sb_finding f = {
        .process = id,
        .gain = {0, (int64_t)((double)share * fmin(1, looked / (double)ns)),
                 sb_ranges_ns(r)}, /* with its waits for a core and for replies that came last */
        .confidence = scan->known ? "high" : "medium",
        .evidence = "SELECT at, value FROM sample WHERE item = 'mailbox' AND process = {process}",
    };
    sb_why_put(w, f,
               "%s received single messages while up to %s were in its mailbox, and worked %s in that time: "
               "%s",
               sb_why_who(w, id), sb_words_count(w->arena, most), sb_words_ns(w->arena, ns),
               scan->known ? "each receive looks at all of them"
                           : "a receive that looks at all of them takes long");
}

/* A process that takes its messages in order never waits with messages in its mailbox. It may seem to, if it waits for
 * the next burst between two samples, so few waits count only if they are for replies. Replies that come while it still
 * looks at the other messages need no wait. */
static void
find(struct sb_why *w)
{
    SB_SCOPED lengths v = {0};
    SB_EACH_PRESENT (&w->x, id) {
        SB_SCOPED struct sb_ranges r = {0};
        int64_t most = 0;
        struct waits waits;
        struct scan scan = {0};
        if (!sb_why_is_material(w, w->x.actor[id].work_ns) ||
            SB_CELL(w->x.profile, process, peak_mailbox, (uint64_t)id - 1) < LONG_MAILBOX)
            continue;
        read_lengths(w, id, &v);
        scan.looks = long_ranges(&v, &r, &most);
        scan.known = time_of_look(&v, &scan.low, &scan.high);
        waits = count_waits(w, id, &r);
        if (((scan.known ? waits.n : waits.sure) >= FEWEST || waits.asked >= FEWEST_ASKED) &&
            (!scan.known || scan.low > 0))
            put(w, id, &r, most, &scan);
    }
}
