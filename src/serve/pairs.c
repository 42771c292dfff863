#include "serve/pairs.h"
#include "base/map.h"
#include "base/order.h"
#include "profile/reader.h"

enum { AT_ONCE = 1 << 19 };

struct sum {
    int64_t count, words;
};

struct search {
    const struct sb_pairs_question *q;
    const struct sb_served *served;
    struct sb_pairs *out; /* a heap until the end, the weakest on top */
    struct sb_map only;
    struct sb_map at; /* sums by from and to */
    SB_VEC(struct sum) sum;
    int64_t first, last; /* receivers of the current part */
};

/* ---- the strongest ---- */

static bool
is_stronger(const struct sb_pair *a, const struct sb_pair *b)
{
    if (a->count != b->count)
        return a->count > b->count;
    return a->from != b->from ? a->from < b->from : a->to < b->to;
}

static void
sift_up(struct sb_pair *v, size_t i)
{
    struct sb_pair p = v[i];
    for (; i > 0 && is_stronger(&v[(i - 1) / 2], &p); i = (i - 1) / 2)
        v[i] = v[(i - 1) / 2];
    v[i] = p;
}

static void
sift_down(struct sb_pair *v, size_t n)
{
    struct sb_pair p = v[0];
    size_t i = 0;
    for (size_t k; (k = 2 * i + 1) < n; i = k) {
        k += k + 1 < n && is_stronger(&v[k], &v[k + 1]);
        if (!is_stronger(&p, &v[k]))
            break;
        v[i] = v[k];
    }
    v[i] = p;
}

/* Whether messages of the pair are large enough on average; unknown sizes are. */
static bool
is_large(const struct search *s, const struct sb_pair *p)
{
    return p->words == SB_NULL || (p->count > 0 && p->words / p->count >= s->q->min_words);
}

static void
offer(struct search *s, const struct sb_pair *p)
{
    struct sb_pairs *o = s->out;
    o->n++;
    o->messages += p->count;
    if (p->count < s->q->min_count || !is_large(s, p))
        return;
    if (o->v.n < s->q->most) {
        *SB_PUSH(&o->v) = *p;
        sift_up(o->v.at, o->v.n - 1);
        return;
    }
    o->left_out++;
    if (is_stronger(p, &o->v.at[0])) {
        o->v.at[0] = *p;
        sift_down(o->v.at, o->v.n);
    }
}

SB_ORDER(by_strength, struct sb_pair, is_stronger(a, b) ? -1 : is_stronger(b, a))
SB_ORDER(by_row, struct sb_pair, SB_UP(row))

/* ---- tables with a row per pair ---- */

enum {
    FROM,
    TO,
    COUNT,
    WORDS,
    SURE /* columns of all of them, in this order */,
    ALL = 9 /* of a message_edge */
};

static const struct as_they_are {
    enum sb_tab tab;
    unsigned column[ALL];
} rows[] = {
    [SB_BY_PROCESS] = {SB_T_message_edge,
                       {SB_C_message_edge__sender, SB_C_message_edge__receiver, SB_C_message_edge__count,
                        SB_C_message_edge__total_words, SB_C_message_edge__max_words,
                        SB_C_message_edge__total_ext_bytes, SB_C_message_edge__matched,
                        SB_C_message_edge__latency_ns, SB_C_message_edge__max_latency_ns}},
    [SB_BY_SCHEDULER] = {SB_T_scheduler_edge,
                         {SB_C_scheduler_edge__from_scheduler, SB_C_scheduler_edge__to_scheduler,
                          SB_C_scheduler_edge__count, SB_C_scheduler_edge__total_words}},
    [SB_BY_NODE] = {SB_T_node_edge,
                    {SB_C_node_edge__from_node, SB_C_node_edge__to_node, SB_C_node_edge__count,
                     SB_C_node_edge__total_words}},
};

static struct sb_pair
pair_of(const int64_t v[ALL], uint64_t row)
{
    return (struct sb_pair){v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], row};
}

static bool
is_wanted(const struct search *s, int64_t a, int64_t b)
{
    if (a < 0 || b < 0) /* SB_NULL, too */
        return false;
    return s->only.n == 0 || sb_map_get(&s->only, (uint64_t)a) || sb_map_get(&s->only, (uint64_t)b);
}

static bool
take_rows(struct search *s, const struct as_they_are *of, struct sb_err *e)
{
    SB_SCOPED_SCAN struct sb_scan k;
    sb_scan_open_columns(&k, s->served->profile, of->tab, of->column, SURE);
    while (sb_scan_next(&k)) {
        for (size_t i = 0; i < k.n; i++)
            if (is_wanted(s, k.value[FROM][i], k.value[TO][i]))
                offer(s,
                      &(struct sb_pair){k.value[FROM][i], k.value[TO][i], k.value[COUNT][i],
                                        k.value[WORDS][i], SB_NULL, SB_NULL, 0, SB_NULL, SB_NULL, k.row[i]});
        SB_TRY(sb_request_in_time(s->q->rq, e));
    }
    return true;
}

/* Reads the other columns of the chosen rows. */
static void
read_rest(struct search *s)
{
    int64_t v[ALL];
    struct sb_reader *r = sb_reader_open(s->served->profile, SB_T_message_edge);
    SB_SORT(&s->out->v, by_row);
    for (size_t i = 0; i < s->out->v.n; i++) {
        uint64_t row = s->out->v.at[i].row;
        for (unsigned c = 0; c < ALL; c++)
            v[c] =
                sb_reader_block(r, rows[SB_BY_PROCESS].column[c], row / SB_BLOCK_ROWS)[row % SB_BLOCK_ROWS];
        s->out->v.at[i] = pair_of(v, row);
    }
    sb_reader_close(r);
}

/* ---- sums: first number and size for all pairs, then the rest for the chosen ones ---- */

static struct sb_pair
pair_of_edge(const struct sb_scan *k, size_t i)
{
    int64_t v[ALL];
    for (unsigned c = 0; c < ALL; c++)
        v[c] = k->value[c][i];
    return pair_of(v, 0);
}

static struct sb_pair
sum_of_edge(const struct sb_scan *k, size_t i)
{
    return (struct sb_pair){k->value[0][i], k->value[1][i], k->value[2][i], k->value[3][i], .row = 0};
}

static struct sb_pair
pair_of_message(const struct sb_scan *k, size_t i)
{
    int64_t words = k->value[2][i], sent = k->value[4][i], received = k->value[5][i];
    bool both = sent != SB_NULL && received != SB_NULL;
    int64_t latency = both ? received - sent : SB_NULL;
    return (struct sb_pair){k->value[0][i], k->value[1][i], 1,       words,   words,
                            k->value[3][i], both,           latency, latency, 0};
}

static struct sb_pair
sum_of_message(const struct sb_scan *k, size_t i)
{
    return (struct sb_pair){k->value[0][i], k->value[1][i], 1, k->value[2][i], .row = 0};
}

static const unsigned message_columns[] = {SB_C_message__sender, SB_C_message__receiver,
                                           SB_C_message__words,  SB_C_message__ext_bytes,
                                           SB_C_message__sent,   SB_C_message__received};

static const struct source {
    enum sb_tab tab;
    const unsigned *column;
    unsigned sums, all; /* the number of columns it reads */
    struct sb_pair (*sum)(const struct sb_scan *k, size_t i), (*pair)(const struct sb_scan *k, size_t i);
} edges = {SB_T_message_edge, rows[SB_BY_PROCESS].column, SURE, ALL, sum_of_edge, pair_of_edge},
  messages = {SB_T_message, message_columns, 3, 6, sum_of_message, pair_of_message};

static void
keep_largest(int64_t *most, int64_t v)
{
    if (v != SB_NULL && (*most == SB_NULL || v > *most))
        *most = v;
}

static bool
add_sum(struct search *s, uint64_t key, const struct sb_pair *p)
{
    struct sum *sum = SB_AT_KEY(&s->at, key, &s->sum, 0, SB_NULL);
    sum->count += p->count;
    sb_add_known(&sum->words, p->words);
    return s->sum.n <= (s->q->at_once ? s->q->at_once : AT_ONCE) || s->first == s->last;
}

static bool
add_rest(struct search *s, uint64_t key, const struct sb_pair *p)
{
    const uint32_t *at = sb_map_get(&s->at, key);
    if (!at)
        return true;
    struct sb_pair *to = &s->out->v.at[*at];
    to->matched += p->matched;
    sb_add_known(&to->ext_bytes, p->ext_bytes);
    sb_add_known(&to->latency_ns, p->latency_ns);
    keep_largest(&to->max_words, p->max_words);
    keep_largest(&to->max_latency_ns, p->max_latency_ns);
    return true;
}

static int64_t
end_of(const struct search *s, int64_t process)
{
    return s->q->level == SB_BY_GROUP ? sb_served_group(s->served, process) : process;
}

/* *fits: `add` had room for all messages. */
static bool
read_pairs(struct search *s, bool sums, bool *fits, struct sb_err *e)
{
    const struct source *from = s->q->of_window ? &messages : &edges;
    SB_SCOPED_SCAN struct sb_scan k;
    bool in_time = true;
    sb_scan_open_columns(&k, s->served->profile, from->tab, from->column, sums ? from->sums : from->all);
    if (s->q->of_window)
        sb_range_scan(s->q->range, &k, SB_C_message__sent, 0);
    if (s->q->of_window && s->q->level == SB_BY_PROCESS) /* messages are clustered by process */
        sb_scan_where(&k, SB_C_message__receiver, s->first, s->last);
    for (*fits = true; in_time && *fits && sb_scan_next(&k); in_time = sb_request_in_time(s->q->rq, e))
        for (size_t i = 0; i < k.n && *fits; i++) {
            struct sb_pair p = (sums ? from->sum : from->pair)(&k, i);
            int64_t a = end_of(s, p.from), b = end_of(s, p.to);
            if (is_wanted(s, p.from, p.to) && a >= 0 && b >= s->first && b <= s->last)
                *fits = (sums ? add_sum : add_rest)(s, (uint64_t)a << 32 | (uint64_t)b, &p);
        }
    return in_time;
}

/* Adds all pairs with receivers from first to last; halves the part if they are too many at once. */
static bool
add_up(struct search *s, int64_t first, int64_t last, struct sb_err *e)
{
    bool fits;
    sb_map_clear(&s->at);
    s->sum.n = 0;
    s->first = first;
    s->last = last;
    SB_TRY(read_pairs(s, true, &fits, e));
    if (!fits) {
        int64_t middle = first + (last - first) / 2;
        return add_up(s, first, middle, e) && add_up(s, middle + 1, last, e);
    }
    for (size_t i = 0; i < s->at.cap; i++) {
        const struct sb_map_slot *slot = &s->at.slot[i];
        if (!slot->used)
            continue;
        const struct sum *sum = &s->sum.at[slot->value];
        offer(s, &(struct sb_pair){(int64_t)(slot->key >> 32), (uint32_t)slot->key, sum->count, sum->words,
                                   SB_NULL, SB_NULL, 0, SB_NULL, SB_NULL, 0});
    }
    return true;
}

static int64_t
last_end(const struct search *s)
{
    return s->q->level == SB_BY_GROUP
               ? sb_profile_largest(s->served->profile, SB_T_process_group, SB_C_process_group__id)
               : (int64_t)s->served->n_ids;
}

static bool
find_sums(struct search *s, struct sb_err *e)
{
    bool fits;
    SB_TRY(add_up(s, 0, last_end(s), e));
    sb_map_clear(&s->at);
    for (size_t i = 0; i < s->out->v.n; i++)
        *sb_map_put(&s->at, (uint64_t)s->out->v.at[i].from << 32 | (uint64_t)s->out->v.at[i].to, NULL) =
            (uint32_t)i;
    s->first = 0;
    s->last = INT64_MAX;
    return read_pairs(s, false, &fits, e);
}

static bool
find_rows(struct search *s, struct sb_err *e)
{
    SB_TRY(take_rows(s, &rows[s->q->level], e));
    if (s->q->level == SB_BY_PROCESS)
        read_rest(s);
    return true;
}

bool
sb_pairs_find(const struct sb_pairs_question *q, struct sb_pairs *out, struct sb_err *e)
{
    struct search s = {.q = q, .served = q->rq->served, .out = out};
    *out = (struct sb_pairs){0};
    for (size_t i = 0; i < q->n_ids && q->level <= SB_BY_GROUP; i++)
        sb_map_put(&s.only, (uint64_t)q->id[i], NULL);
    bool ok = (q->level != SB_BY_GROUP && !q->of_window ? find_rows : find_sums)(&s, e);
    SB_SORT(&out->v, by_strength);
    SB_VEC_FREE(&s.sum);
    sb_map_close(&s.at);
    sb_map_close(&s.only);
    return ok;
}
