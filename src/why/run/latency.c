#include "why/run/server.h"
#include "base/octave.h"
#include "base/sort.h"

void
sb_percentiles(int64_t *at, size_t n, int64_t out[2])
{
    out[0] = out[1] = SB_NULL;
    if (n == 0)
        return;
    sb_sort_signed(at, n);
    out[0] = at[(n - 1) / 2];
    out[1] = at[(n * 99 + 99) / 100 - 1];
}

void
sb_latency_open(struct sb_latency_sum *s, const struct sb_evidence *x)
{
    *s = (struct sb_latency_sum){.x = x};
    s->waited = sb_zeroed_or_die(x->n_actors + 1, sizeof *s->waited);
}

void
sb_latency_add(struct sb_latency_sum *s, const struct sb_trip *t)
{
    s->count++;
    if (t->sent != SB_NULL)
        *SB_PUSH(&s->round_trips) = t->received - t->sent;
    if (t->gave_up) {
        s->given_up++;
        return;
    }
    s->service_ns += t->replied - t->begin;
    s->work_ns += t->work_ns;
    s->waiting_ns += t->waiting_ns;
    if (t->sent != SB_NULL) {
        s->mailbox_ns += t->begin > t->sent ? t->begin - t->sent : 0;
        s->reply_ns += t->received > t->replied ? t->received - t->replied : 0;
    }
    if (s->waited[t->waits_for] == 0)
        *SB_PUSH(&s->waited_for) = t->waits_for;
    s->waited[t->waits_for] += t->waiting_ns;
    s->in_ns += t->waits_in == s->in ? t->waiting_ns : -t->waiting_ns;
    if (s->in_ns < 0) {
        s->in_ns = -s->in_ns;
        s->in = t->waits_in;
    }
}

void
sb_latency_count(const struct sb_latency_sum *s, int64_t server, struct sb_servers *out)
{
    int64_t count[SB_OCTAVE_BUCKETS] = {0};
    for (size_t i = 0; i < s->round_trips.n; i++)
        count[sb_octave_bucket(s->round_trips.at[i])]++;
    for (unsigned b = 0; b < SB_OCTAVE_BUCKETS; b++)
        if (count[b] > 0)
            *SB_PUSH(&out->buckets) =
                (struct sb_trip_bucket){server, sb_octave_low(b), sb_octave_low(b + 1), count[b]};
}

static int64_t
take_most(struct sb_latency_sum *s)
{
    int64_t most = 0, ns = 0;
    for (size_t i = 0; i < s->waited_for.n; i++) {
        int32_t id = s->waited_for.at[i];
        if (s->waited[id] > ns || (s->waited[id] == ns && id < most)) {
            most = id;
            ns = s->waited[id];
        }
        s->waited[id] = 0;
    }
    s->waited_for.n = 0;
    return most > 0 ? most : SB_NULL;
}

static int64_t
mean(int64_t ns, int64_t n)
{
    return n > 0 ? ns / n : SB_NULL;
}

void
sb_latency_take(struct sb_latency_sum *s, struct sb_latency *out)
{
    int64_t n = (int64_t)s->round_trips.n, trips = n - s->given_up, served = s->count - s->given_up;
    *out = (struct sb_latency){.count = s->count,
                               .given_up = s->given_up,
                               .longest_ns = SB_NULL,
                               .mailbox_ns = mean(s->mailbox_ns, trips),
                               .service_ns = mean(s->service_ns, served),
                               .work_ns = mean(s->work_ns, served),
                               .waiting_ns = mean(s->waiting_ns, served),
                               .reply_ns = mean(s->reply_ns, trips)};
    sb_percentiles(s->round_trips.at, s->round_trips.n, out->round_trip);
    if (n > 0)
        out->longest_ns = s->round_trips.at[n - 1];
    out->waits_for = take_most(s);
    if (s->in > 0 && 2 * s->in_ns >= s->waiting_ns)
        out->waits_in = sb_evidence_text(s->x, s->in);
    s->in = 0;
    s->in_ns = 0;
    s->count = s->given_up = s->mailbox_ns = s->service_ns = s->work_ns = s->waiting_ns = s->reply_ns = 0;
    s->round_trips.n = 0;
}

void
sb_latency_close(struct sb_latency_sum *s)
{
    SB_VEC_FREE(&s->round_trips);
    SB_VEC_FREE(&s->waited_for);
    free(s->waited);
}
