#include "why/find/finding.h"
#include "base/order.h"
#include "profile/scan_row.h"

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

enum { LONG_MAILBOX = 500, FEWEST = 20, FEWEST_ASKED = 5 };
#define LOOK_NS 0.25 /* at a message takes longer: 3 to 5 ns in long mailboxes */

struct length {
    int64_t at, n;
    int64_t came; /* messages since the sample before */
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
        *SB_PUSH(v) = (struct length){s.value[at][i], s.value[value][i], 0};
    count_arrivals(w, process, v);
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
            int64_t taken = v->at[i + 1].came + v->at[i].n - v->at[i + 1].n;
            looks += taken > 0 ? (double)taken * (double)(v->at[i].n + v->at[i + 1].n) / 2 : 0;
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
    int64_t n, woken; /* all, and those that a process of the trace ended with a message */
    int64_t asked;    /* of these, those for a reply */
};

/* A call of OTP receives by a reference made just before: it looks at no earlier message. The loop of a behaviour takes
 * the first one. */
static struct waits
count_waits(const struct sb_why *w, int64_t id, const struct sb_ranges *r)
{
    struct waits c = {0};
    SB_EACH_STEP (&w->x, id, s) {
        int64_t from = s->start + s->dur;
        struct sb_str out = sb_evidence_text(&w->x, s->out);
        bool waits = s->wait != SB_WAIT_NONE && !sb_is_call(out) && !sb_is_loop(out) &&
                     is_within(r, from, from + s->wait_ns);
        c.n += waits;
        c.asked += waits && s->waker > 0 && s->wait == SB_WAIT_ASKED;
        c.woken += waits && s->waker > 0;
    }
    return c;
}

static void
put(struct sb_why *w, int64_t id, const struct sb_ranges *r, int64_t most, double looks)
{
    SB_SCOPED struct sb_ranges work = {0};
    sb_slices_of(&w->x, id, &work);
    sb_ranges_cut(&work, r);
    int64_t ns = sb_ranges_ns(&work), share = sb_ranges_within(&work, &w->x.level, SB_LEVEL_SHARE);
    if ((double)ns < LOOK_NS * looks) /* most receives took one of the first messages */
        return;
    struct sb_finding f = {
        .process = id,
        .gain = {0, share, sb_ranges_ns(r)}, /* with its waits for a core and for replies that came last */
        .confidence = "high",
        .evidence = "SELECT at, value FROM sample WHERE item = 'mailbox' AND process = {process}",
    };
    sb_why_put(w, f,
               "%s received single messages while up to %s were in its mailbox, and worked %s in that time: "
               "each receive looks at all of them",
               sb_why_who(w, id), sb_words_count(w->arena, most), sb_words_ns(w->arena, ns));
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
        if (!sb_why_is_material(w, w->x.actor[id].work_ns) ||
            SB_CELL(w->x.profile, process, peak_mailbox, (uint64_t)id - 1) < LONG_MAILBOX)
            continue;
        read_lengths(w, id, &v);
        double looks = long_ranges(&v, &r, &most);
        waits = count_waits(w, id, &r);
        if (waits.n >= FEWEST || waits.asked >= FEWEST_ASKED)
            put(w, id, &r, most, looks);
    }
}
