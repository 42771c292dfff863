/*
 * The latency of messages, from sent to received: a histogram and percentiles. A percentile is the upper end of its
 * bucket, so it is an upper bound, at most 3 % too high.
 */
#include "base/octave.h"
#include "profile/scan_row.h"
#include "serve/route.h"

static const struct sb_column bucket_columns[] = {{"low_ns", SB_INT, SB_U_NS, "from"},
                                                  {"high_ns", SB_INT, SB_U_NS, "up to, not included"},
                                                  {"count", SB_INT, SB_U_COUNT, "messages"}};

/* The pair: a and b are processes, or groups or nodes as in `owner`. */
struct pair {
    bool any;
    int64_t a, b;
    int64_t *owner; /* group or node of each row of `process`; NULL: the process itself */
    uint64_t n;
};

struct latencies {
    uint64_t count[SB_OCTAVE_BUCKETS];
    int64_t matched, unmatched, most_ns;
};

static bool
is_of(const struct pair *p, int64_t process, int64_t wanted)
{
    if (!p->owner)
        return process == wanted;
    return process >= 1 && (uint64_t)process <= p->n && p->owner[process - 1] == wanted;
}

static bool
read_pair(const struct sb_request *rq, struct pair *p, struct sb_err *e)
{
    static const unsigned column[] = {SB_C_process__id, SB_C_process__group_id, SB_C_process__node};
    const struct sb_profile *profile = rq->served->profile;
    unsigned level;
    SB_TRY(sb_request_choice(rq, "level", "process|group|node", &level, e));
    SB_TRY(sb_request_int(rq, "a", (struct sb_request_limits){0, INT64_MAX, 0}, &p->a, e));
    SB_TRY(sb_request_int(rq, "b", (struct sb_request_limits){0, INT64_MAX, 0}, &p->b, e));
    p->any = p->a == 0 && p->b == 0;
    if (p->any || level == 0)
        return true;
    p->n = sb_profile_rows(profile, SB_T_process);
    p->owner = SB_NEW_N(rq->arena, int64_t, p->n + SB_BLOCK_ROWS);
    for (uint64_t at = 0; at < p->n; at += SB_BLOCK_ROWS)
        sb_profile_read(profile, SB_T_process, column[level], at,
                        p->n - at < SB_BLOCK_ROWS ? p->n - at : SB_BLOCK_ROWS, p->owner + at);
    return true;
}

static void
add(struct latencies *l, int64_t sent, int64_t received)
{
    int64_t ns = received == SB_NULL || sent == SB_NULL ? SB_NULL : received - sent;
    if (ns == SB_NULL || ns < 0) {
        l->unmatched++;
        return;
    }
    l->matched++;
    l->count[sb_octave_bucket(ns)]++;
    l->most_ns = ns > l->most_ns ? ns : l->most_ns;
}

static bool
count_messages(const struct sb_request *rq, const struct pair *p, struct sb_range range, struct latencies *l,
               struct sb_err *e)
{
    SB_SCAN(s, rq->served->profile, message, sender, receiver, sent, received);
    sb_range_scan(range, &s, SB_C_message__sent, 0);
    while (sb_scan_next(&s)) {
        for (size_t i = 0; i < s.n; i++)
            if (p->any || (is_of(p, s.value[sender][i], p->a) && is_of(p, s.value[receiver][i], p->b)))
                add(l, s.value[sent][i], s.value[received][i]);
        SB_TRY(sb_request_in_time(rq, e));
    }
    return true;
}

/* Returns the upper bound of the latency of `share` in a thousand messages. */
static int64_t
percentile(const struct latencies *l, int64_t share)
{
    uint64_t wanted = ((uint64_t)l->matched * (uint64_t)share + 999) / 1000, sum = 0;
    for (unsigned b = 0; b < SB_OCTAVE_BUCKETS && l->matched > 0; b++) {
        sum += l->count[b];
        if (sum >= wanted)
            return sb_octave_low(b + 1) - 1 < l->most_ns ? sb_octave_low(b + 1) - 1 : l->most_ns;
    }
    return SB_NULL;
}

bool
sb_route_latency(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct pair pair = {0};
    struct latencies *l = SB_NEW(rq->arena, struct latencies);
    struct sb_range range;
    SB_TRY(sb_request_range(rq, &range, e));
    SB_TRY(read_pair(rq, &pair, e));
    SB_TRY(count_messages(rq, &pair, range, l, e));
    struct sb_table *t = sb_reply_table(r, "bucket", bucket_columns, 3);
    for (unsigned b = 0; b < SB_OCTAVE_BUCKETS; b++)
        if (l->count[b] > 0)
            SB_ROW(t, {.i = sb_octave_low(b)}, {.i = sb_octave_low(b + 1)}, {.i = (int64_t)l->count[b]});
    sb_reply_int(r, "matched", l->matched);
    sb_reply_int(r, "unmatched", l->unmatched);
    sb_reply_int(r, "p50_ns", percentile(l, 500));
    sb_reply_int(r, "p90_ns", percentile(l, 900));
    sb_reply_int(r, "p99_ns", percentile(l, 990));
    sb_reply_int(r, "max_ns", l->matched > 0 ? l->most_ns : SB_NULL);
    return true;
}
