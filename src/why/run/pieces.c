#include "why/run/pieces.h"
#include "base/order.h"
#include "base/pool.h"
#include "base/sort.h"
#include "base/vec.h"
#include "profile/scan_row.h"

enum { MOST_ROWS = 2 << 20 /* slices and messages, in all */ };

/* ---- how many rows a range has ---- */

static uint64_t
rows_of(const struct sb_profile *p, enum sb_tab t, unsigned column, struct sb_range r)
{
    int64_t v[SB_BLOCK_ROWS];
    uint64_t n = 0, rows = sb_profile_rows(p, t);
    struct sb_zone z;
    for (uint64_t at = 0; at < rows; at = z.end) {
        z = sb_profile_zone(p, t, column, at);
        if (z.min > z.max || z.max < r.from || z.min >= r.to)
            continue;
        if (z.min >= r.from && z.max < r.to) {
            n += z.end - at - z.nulls;
            continue;
        }
        size_t in_block = sb_profile_block(p, t, column, at / SB_BLOCK_ROWS, v);
        for (size_t i = 0; i < in_block; i++)
            n += v[i] >= r.from && v[i] < r.to;
    }
    return n;
}

static uint64_t
rows_within(const struct sb_profile *p, struct sb_range r)
{
    return rows_of(p, SB_T_slice, SB_C_slice__start, r) + rows_of(p, SB_T_message, SB_C_message__sent, r);
}

/* ---- the pieces ---- */

struct choosing {
    struct sb_pieces *x;
    const struct sb_profile *p;
    uint64_t rows[SB_PIECES], most; /* of the parts; of a piece */
};

static struct sb_range
part_of(const struct sb_pieces *x, size_t i)
{
    double each = (double)(x->run.to - x->run.from) / (double)x->n;
    return (struct sb_range){x->run.from + (int64_t)(each * (double)i),
                             i + 1 == x->n ? x->run.to : x->run.from + (int64_t)(each * (double)(i + 1))};
}

static void
count_rows(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct choosing *c = ctx;
    c->rows[i] = rows_within(c->p, part_of(c->x, i));
}

static struct sb_range
middle(struct sb_range part, int64_t width)
{
    int64_t from = part.from + (part.to - part.from - width) / 2;
    return (struct sb_range){from, from + width};
}

/* Rows may be dense at one end of the part: the width doubles while it has few, and shrinks while it has too many. */
static void
choose(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct choosing *c = ctx;
    struct sb_range part = part_of(c->x, i);
    int64_t all = part.to - part.from, width = all;
    uint64_t rows = c->rows[i], next;
    if (rows > c->most) {
        width = (int64_t)((double)all * (double)c->most / (double)rows);
        while (width < all / 2 && rows_within(c->p, middle(part, width)) < c->most / 2)
            width *= 2;
        for (; width > 1 && (next = rows_within(c->p, middle(part, width))) > c->most; rows = next)
            width =
                next < rows ? (int64_t)(0.99 * (double)width * (double)c->most / (double)next) : width / 2;
    }
    c->x->at[i] = middle(part, width > 1 ? width : 1);
}

/* The most that a piece may have, so that what quiet parts do not need is for the others. */
static uint64_t
share_rows(const uint64_t *rows, size_t n)
{
    uint64_t most = MOST_ROWS / n;
    for (size_t round = 0; round < n; round++) {
        uint64_t left = MOST_ROWS, busy = 0;
        for (size_t i = 0; i < n; i++) {
            left -= rows[i] <= most ? rows[i] : 0;
            busy += rows[i] > most;
        }
        if (busy == 0 || left / busy <= most)
            break;
        most = left / busy;
    }
    return most;
}

/* ---- pairs ---- */

struct keys {
    SB_VEC(uint64_t) all, spare;
};

static void
add_keys(struct keys *k, const struct sb_profile *p, struct sb_range r, unsigned where)
{
    SB_SCAN(s, p, message, sender, receiver, sent);
    sb_scan_where(&s, where, r.from, r.to - 1);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if ((where == SB_C_message__sent || s.value[sent][i] == SB_NULL) && s.value[sender][i] > 0 &&
            s.value[receiver][i] > 0)
            *SB_PUSH(&k->all) = sb_pair_key((int32_t)s.value[sender][i], (int32_t)s.value[receiver][i]);
}

/* In the order of the table, which is that of the keys. */
static void
read_pairs(struct sb_pieces *x, const struct sb_profile *p)
{
    size_t at = 0;
    SB_SCAN(s, p, message_edge, sender, receiver, first, count, at_least);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        if (s.value[sender][i] < 1 || s.value[receiver][i] < 1)
            continue;
        uint64_t key = sb_pair_key((int32_t)s.value[sender][i], (int32_t)s.value[receiver][i]);
        if (at > 0 && x->pair[at - 1].key >= key) { /* the table of a damaged profile may have any order */
            size_t hi = at;
            at = 0;
            SB_SEARCH(at, hi, x->pair[mid].key < key);
        }
        while (at < x->n_pairs && x->pair[at].key < key)
            at++;
        if (at == x->n_pairs || x->pair[at].key != key)
            continue;
        x->pair[at] = (struct sb_piece_pair){key, s.value[count][i], s.value[first][i],
                                             s.value[at_least][i] > 0 ? s.value[at_least][i] : 0};
    }
}

static void
find_pairs(struct sb_pieces *x, const struct sb_profile *p)
{
    struct keys k = {0};
    for (size_t i = 0; i < x->n; i++) {
        add_keys(&k, p, x->at[i], SB_C_message__sent);
        add_keys(&k, p, x->at[i], SB_C_message__received);
    }
    SB_RESERVE(&k.spare, k.all.n);
    if (k.all.n > 0)
        sb_sort_numbers(k.all.at, k.spare.at, k.all.n);
    x->pair = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *x->pair, k.all.n + 1));
    for (size_t i = 0; i < k.all.n; i++)
        if (i == 0 || k.all.at[i] != k.all.at[i - 1])
            x->pair[x->n_pairs++] = (struct sb_piece_pair){k.all.at[i], 0, SB_NULL, 0};
    SB_VEC_FREE(&k.all);
    SB_VEC_FREE(&k.spare);
    read_pairs(x, p);
}

void
sb_pieces_choose(struct sb_pieces *x, const struct sb_profile *p, struct sb_range run)
{
    *x = (struct sb_pieces){.run = run, .at = {run}, .n = 1, .covered_ns = run.to - run.from};
    if (run.to - run.from <= SB_PIECES || rows_within(p, run) <= MOST_ROWS)
        return;
    /* What looks at each process costs in each piece, so pieces are fewer where processes are many. */
    uint64_t n = MOST_ROWS / (sb_profile_rows(p, SB_T_process) + 1);
    x->is_cut = true;
    x->n = n > SB_PIECES ? SB_PIECES : n < SB_FEWEST_PIECES ? SB_FEWEST_PIECES : (size_t)n;
    struct choosing c = {.x = x, .p = p};
    struct sb_pool *pool = sb_pool_open(0);
    sb_pool_each(pool, x->n, count_rows, &c);
    c.most = share_rows(c.rows, x->n);
    sb_pool_each(pool, x->n, choose, &c);
    sb_pool_close(pool);
    x->covered_ns = 0;
    for (size_t i = 0; i < x->n; i++)
        x->covered_ns += x->at[i].to - x->at[i].from;
    find_pairs(x, p);
}

void
sb_pieces_close(struct sb_pieces *x)
{
    free(x->pair);
    *x = (struct sb_pieces){0};
}
