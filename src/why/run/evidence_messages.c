#include "why/run/evidence_impl.h"
#include "base/order.h"
#include "base/sort.h"
#include "profile/scan_row.h"

/* Of one receiver. */
static int
by_receipt(const void *p, const void *q)
{
    const struct sb_letter *a = p, *b = q;
    int64_t at = sb_evidence_receipt(a), bt = sb_evidence_receipt(b);
    return at != bt ? (at > bt) - (at < bt) : SB_UP(sender);
}

struct reading {
    struct sb_evidence *x;
    SB_VEC(struct sb_letter) letter;
};

static void
put_letter(void *ctx, const struct sb_history_message *m)
{
    struct reading *r = ctx;
    /* of a recorded process the sending is in the trace: which it is may be unknown */
    bool is_far = m->asker > 0 && r->x->actor[m->asker].sends == SB_NULL;
    *SB_PUSH(&r->letter) = (struct sb_letter){m->sent,  m->received,           m->sender, m->receiver,
                                              m->words, is_far ? m->asker : 0, m->is_call};
}

/* Where those of each process begin in an array that is ordered by process, and its end. */
static uint32_t *
count_from(const struct sb_evidence *x, const struct sb_letter *l, size_t n, size_t process)
{
    uint32_t *from = sb_zeroed_or_die(x->n_actors + 2, sizeof *from);
    for (size_t i = 0; i < n; i++)
        from[*(const int32_t *)((const char *)&l[i] + process) + 2]++;
    for (int64_t id = 2; id <= x->n_actors + 1; id++)
        from[id] += from[id - 1];
    return from; /* from[id + 1] moves from the begin to the end of its letters while they are placed */
}

static void
index_receivers(struct sb_evidence *x, const struct sb_letter *l, size_t n)
{
    uint32_t *at = x->inbox = count_from(x, l, n, offsetof(struct sb_letter, receiver));
    x->letter = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *x->letter, n + 1));
    x->n_letters = n;
    for (size_t i = 0; i < n; i++)
        x->letter[at[l[i].receiver + 1]++] = l[i];
    for (int64_t id = 0; id < x->n_actors; id++)
        sb_sort(x->letter + at[id], at[id + 1] - at[id], sizeof *x->letter, by_receipt);
}

static void
index_senders(struct sb_evidence *x)
{
    SB_SCOPED SB_VEC(struct sb_sort_key) key = {0}, tmp = {0};
    uint32_t *at = x->outbox = count_from(x, x->letter, x->n_letters, offsetof(struct sb_letter, sender));
    x->by_sender = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *x->by_sender, x->n_letters + 1));
    for (size_t i = 0; i < x->n_letters; i++)
        x->by_sender[at[x->letter[i].sender + 1]++] = (uint32_t)i;
    for (int64_t id = 0; id < x->n_actors; id++) {
        uint32_t *of = x->by_sender + at[id], n = at[id + 1] - at[id];
        SB_RESERVE(&key, n);
        SB_RESERVE(&tmp, n);
        for (uint32_t i = 0; i < n; i++) /* an unknown time, SB_NULL, is before all others */
            key.at[i] = (struct sb_sort_key){sb_sort_key_of(x->letter[of[i]].sent), of[i]};
        sb_sort_radix(key.at, tmp.at, n);
        for (uint32_t i = 0; i < n; i++)
            of[i] = (uint32_t)key.at[i].value;
    }
}

/* The first letter of the process, in by_sender, that was sent at that time or later. */
static size_t
first_sent(const struct sb_evidence *x, int64_t process, int64_t at)
{
    size_t lo = x->outbox[process], hi = x->outbox[process + 1];
    SB_SEARCH(lo, hi, x->letter[x->by_sender[mid]].sent < at);
    return lo;
}

size_t
sb_evidence_sent(const struct sb_evidence *x, int64_t process, int64_t from, int64_t to)
{
    size_t i = first_sent(x, process, from), end = first_sent(x, process, to);
    return end > i ? end - i : 0;
}

int32_t
sb_evidence_sent_last(const struct sb_evidence *x, int64_t process, int64_t from, int64_t to)
{
    size_t first = first_sent(x, process, from), end = first_sent(x, process, to);
    return end > first ? x->letter[x->by_sender[end - 1]].receiver : 0;
}

bool
sb_evidence_sent_to(const struct sb_evidence *x, int64_t process, int64_t other, int64_t from, int64_t to)
{
    for (size_t i = first_sent(x, process, from), end = first_sent(x, process, to); i < end; i++)
        if (x->letter[x->by_sender[i]].receiver == other)
            return true;
    return false;
}

/* ---- pairs ---- */

SB_ORDER(by_pair, struct sb_traffic, SB_UP(sender) ?: SB_UP(receiver))

typedef SB_VEC(struct sb_traffic) edges;

static edges
read_edges(const struct sb_evidence *x, const struct sb_history *h)
{
    edges v = {0};
    SB_SCAN(s, x->profile, message_edge, sender, receiver, count, total_words, max_words, first, at_least);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        struct sb_traffic e = {sb_history_process(h, s.value[sender][i]),
                               sb_history_process(h, s.value[receiver][i]),
                               s.value[count][i],
                               s.value[total_words][i],
                               s.value[max_words][i],
                               s.value[first][i],
                               s.value[at_least][i] > 0 ? s.value[at_least][i] : 0};
        if (e.sender && e.receiver)
            *SB_PUSH(&v) = e;
    }
    SB_SORT(&v, by_pair);
    return v;
}

/* The letters of one pair in a piece. That they are not their first, and how many of them are larger than the tracer
 * measures, shows in the whole run. */
static struct sb_traffic
count_edge(const struct sb_evidence *x, const struct sb_sort_key *of, size_t n,
           const struct sb_piece_pair *known)
{
    const struct sb_letter *l = &x->letter[of->value];
    struct sb_traffic e = {
        .sender = l->sender, .receiver = l->receiver, .count = (int64_t)n, .first = INT64_MAX};
    for (size_t i = 0; i < n; i++) {
        l = &x->letter[of[i].value];
        e.words += l->words > 0 ? l->words : 0;
        e.max_words = l->words > e.max_words ? l->words : e.max_words;
        e.first = sb_least(e.first, l->sent != SB_NULL ? l->sent : l->received);
    }
    e.first = known->first != SB_NULL ? sb_least(e.first, known->first) : e.first;
    if (known->at_least > 0 && known->count > 0)
        e.at_least = 1 + (int64_t)((double)known->at_least * (double)(n - 1) / (double)known->count);
    return e;
}

static edges
count_edges(const struct sb_evidence *x, const struct sb_pieces *pieces)
{
    edges v = {0};
    SB_SCOPED SB_VEC(struct sb_sort_key) key = {0}, tmp = {0};
    for (size_t i = 0; i < x->n_letters; i++)
        if (x->letter[i].sender > 0 && x->letter[i].receiver > 0)
            *SB_PUSH(&key) = (struct sb_sort_key){sb_pair_key(x->letter[i].sender, x->letter[i].receiver), i};
    SB_RESERVE(&tmp, key.n);
    if (key.n > 0)
        sb_sort_radix(key.at, tmp.at, key.n);
    for (size_t i = 0, to, at = 0; i < key.n; i = to) {
        for (to = i + 1; to < key.n && key.at[to].key == key.at[i].key;)
            to++;
        while (pieces->pair[at].key < key.at[i].key) /* all are among them */
            at++;
        *SB_PUSH(&v) = count_edge(x, &key.at[i], to - i, &pieces->pair[at]);
    }
    return v;
}

static void
index_edges(struct sb_evidence *x, edges v)
{
    x->edge = v.at;
    x->n_edges = v.n;
    x->pairs = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *x->pairs, x->n_actors + 1));
    size_t n = 0;
    for (int64_t id = 0; id <= x->n_actors; id++) {
        while (n < v.n && v.at[n].sender < id)
            n++;
        x->pairs[id] = (uint32_t)n;
    }
}

const struct sb_traffic *
sb_evidence_edge(const struct sb_evidence *x, int64_t sender, int64_t receiver)
{
    if (sender < 0 || sender >= x->n_actors)
        return NULL;
    size_t lo = x->pairs[sender], hi = x->pairs[sender + 1], end = hi;
    SB_SEARCH(lo, hi, x->edge[mid].receiver < receiver);
    return lo < end && x->edge[lo].receiver == receiver ? &x->edge[lo] : NULL;
}

/* ---- who serves many ---- */

SB_ORDER(by_number, uint64_t, (*a > *b) - (*a < *b))

/* It writes to one after the other, as a server that replies: what hands out work, or ticks, writes to all at once. */
static bool
writes_one_by_one(const struct sb_evidence *x, int64_t id)
{
    enum { AT_ONCE_NS = 20000 };
    uint32_t n = x->outbox[id + 1] - x->outbox[id], together = 0;
    const struct sb_letter *last = NULL;
    for (uint32_t i = x->outbox[id]; i < x->outbox[id + 1]; i++) {
        const struct sb_letter *l = &x->letter[x->by_sender[i]];
        together += last && last->receiver != l->receiver && l->sent - last->sent < AT_ONCE_NS;
        last = l;
    }
    return n > 0 && 4 * together < n;
}

/* Processes started alike that exchange messages with one other alone, which is the same for several. */
static void
find_hubs(struct sb_evidence *x)
{
    enum { FEWEST = 3 };
    SB_SCOPED SB_VEC(uint64_t) pair = {0};
    uint32_t *partners = sb_zeroed_or_die(x->n_actors + 1, sizeof *partners);
    x->serves = SB_NEW_N(x->arena, int64_t, x->n_actors + 1);
    for (size_t i = 0; i < x->n_edges; i++)
        partners[x->edge[i].sender] += sb_evidence_edge(x, x->edge[i].receiver, x->edge[i].sender) != NULL;
    for (size_t i = 0; i < x->n_edges; i++) {
        const struct sb_traffic *e = &x->edge[i];
        int64_t group = x->actor[e->sender].group;
        if (group > 0 && partners[e->sender] == 1 && sb_evidence_edge(x, e->receiver, e->sender))
            *SB_PUSH(&pair) = (uint64_t)e->receiver << 32 | (uint32_t)group;
    }
    SB_SORT(&pair, by_number);
    for (size_t i = 0, to; i < pair.n; i = to) { /* the last group of a process that is large enough counts */
        for (to = i + 1; to < pair.n && pair.at[to] == pair.at[i];)
            to++;
        int64_t hub = (int64_t)(pair.at[i] >> 32), group = (uint32_t)pair.at[i];
        if (to - i >= FEWEST && (x->serves[hub] > 0 || writes_one_by_one(x, hub)))
            x->serves[hub] = group;
    }
    free(partners);
}

void
sb_evidence_messages_read(struct sb_evidence *x, const struct sb_history *h, const struct sb_pieces *pieces)
{
    struct reading r = {.x = x};
    sb_history_messages(h, x->t0, x->t1, put_letter, &r);
    index_receivers(x, r.letter.at, r.letter.n);
    SB_VEC_FREE(&r.letter);
    index_senders(x);
    index_edges(x, x->is_cut ? count_edges(x, pieces) : read_edges(x, h));
    find_hubs(x);
}
