#include "profile/press.h"
#include "base/hash.h"
#include "base/wide.h"
#include "profile/profile.h"

enum { A_THREAD = 4, MOST = SB_SEGMENT_ROWS / SB_BLOCK_ROWS };

/* Columns whose numbers are close to those of another column in the same row, or to the sum of several. Those refer to
 * no others. */
static const struct {
    uint8_t tab, column, near;
} nears[] = {
    {SB_T_gap, SB_C_gap__low_ns, SB_C_gap__runnable_ns},
    {SB_T_gap, SB_C_gap__high_ns, SB_C_gap__runnable_ns},
    {SB_T_message, SB_C_message__received, SB_C_message__sent},
    {SB_T_message_edge, SB_C_message_edge__matched, SB_C_message_edge__count},
    {SB_T_message_edge, SB_C_message_edge__max_words, SB_C_message_edge__total_words},
    {SB_T_message_edge, SB_C_message_edge__max_latency_ns, SB_C_message_edge__latency_ns},
    {SB_T_message_edge, SB_C_message_edge__last, SB_C_message_edge__first},
    {SB_T_pyramid, SB_C_pyramid__schedulers_ns, SB_C_pyramid__running_ns},
    {SB_T_pyramid, SB_C_pyramid__schedulers_ns, SB_C_pyramid__gc_ns},
    {SB_T_pyramid, SB_C_pyramid__schedulers_ns, SB_C_pyramid__dirty_ns},
    {SB_T_pyramid, SB_C_pyramid__schedulers_ns, SB_C_pyramid__ports_ns},
    {SB_T_gc, SB_C_gc__heap_after, SB_C_gc__heap_before},
    {SB_T_gc, SB_C_gc__old_after, SB_C_gc__old_before},
    {SB_T_gc, SB_C_gc__bin_after, SB_C_gc__bin_before},
};

/* Four words in one register. */
enum { FOUR = 4 };
typedef uint32_t four __attribute__((vector_size(FOUR * sizeof(uint32_t))));

/* Rows are scattered over the lists: some are prefetched while others are processed. */
static void
fetch(uint32_t *const *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(row[SB_PRESS_AHEAD + i]);
}

/* ---- texts get numbers, in the order of the rows ---- */

static uint32_t
number_of(struct sb_press_column *c, size_t handle)
{
    SB_REACH(&c->number, handle);
    if (c->number.at[handle] == 0) {
        *SB_PUSH(&c->dict) = (uint32_t)handle;
        c->number.at[handle] = (uint32_t)c->dict.n;
    }
    return c->number.at[handle] - 1;
}

static uint32_t
number_of_cell(const struct sb_press *p, const struct sb_press_block *k, size_t i, unsigned column)
{
    int64_t v = sb_row_cell(k->list[k->in[i]], &k->table->shape, k->row[i], column);
    if (k->named)
        v = p->names.handle(p->names.ctx, (uint32_t)v);
    return v == SB_NULL ? SB_NO_NUMBER : number_of(&k->table->column[column], (size_t)v);
}

/* The text is usually the same as in the row before. */
static void
number_texts(const struct sb_press *p, const struct sb_press_block *k, unsigned column)
{
    unsigned place = k->table->shape.place[column];
    uint32_t same = k->row[0][place], number = number_of_cell(p, k, 0, column);
    for (size_t i = 0; i < k->n; i++) {
        uint32_t *cell = k->row[i] + place;
        fetch(k->row + i, 1);
        if (*cell != same || same >= SB_FAR) {
            same = *cell;
            number = number_of_cell(p, k, i, column);
        }
        *cell = number;
    }
}

/* ---- packing ---- */

static inline four
four_at(const uint32_t *p)
{
    four v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline four
low(four p, four q)
{
    return (four){p[0], q[0], p[1], q[1]};
}

static inline four
high(four p, four q)
{
    return (four){p[2], q[2], p[3], q[3]};
}

/* Transposes four words of four rows. */
static inline void
turn_square(four a, four b, four c, four d, uint32_t *to)
{
    four ac = low(a, c), bd = low(b, d), ac_high = high(a, c), bd_high = high(b, d);
    four turned[FOUR] = {low(ac, bd), high(ac, bd), low(ac_high, bd_high), high(ac_high, bd_high)};
    for (size_t k = 0; k < FOUR; k++)
        memcpy(to + k * SB_PRESS_APART, &turned[k], sizeof(four));
}

/* The last square usually covers some words twice. */
static inline void
turn_four(uint32_t *const *row, size_t words, uint32_t *to)
{
    const uint32_t *a = row[0], *b = row[1], *c = row[2], *d = row[3];
    size_t last = words - FOUR;
    for (size_t w = 0; w < last; w += FOUR)
        turn_square(four_at(a + w), four_at(b + w), four_at(c + w), four_at(d + w), to + w * SB_PRESS_APART);
    turn_square(four_at(a + last), four_at(b + last), four_at(c + last), four_at(d + last),
                to + last * SB_PRESS_APART);
}

/* Transposes rows into columns of words. */
SB_WIDE static void
turn(const struct sb_press_block *k, uint32_t (*word)[SB_PRESS_APART])
{
    size_t words = k->table->shape.words, i = 0;
    for (; i + FOUR <= k->n && words >= FOUR; i += FOUR) {
        fetch(k->row + i, FOUR);
        turn_four(k->row + i, words, &word[0][i]);
    }
    for (; i < k->n; i++)
        for (size_t w = 0; w < words; w++)
            word[w][i] = k->row[i][w];
}

SB_WIDE static void
join(const uint32_t *low, const uint32_t *high, size_t n, int64_t *v)
{
    for (size_t i = 0; i < n; i++)
        v[i] = (int64_t)((uint64_t)high[i] << 32 | low[i]);
}

/* NULL + 1 wraps to 0, so NULL does not count as far. */
SB_WIDE static bool
some_are_far(const uint32_t *cell, size_t n)
{
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = cell[i] + 1 > most ? cell[i] + 1 : most;
    return most > SB_FAR;
}

static void
bring(const struct sb_press_block *k, const uint32_t *cell, int64_t *v)
{
    for (size_t i = 0; i < k->n; i++)
        v[i] = sb_cell_number(k->list[k->in[i]], cell[i]);
}

/* A column in the form in which it is packed: cells if none are far, else numbers. */
static struct sb_pack_column
column_of(struct sb_press_block *k, unsigned column)
{
    unsigned place = k->table->shape.place[column];
    if (sb_row_is_wide(&k->table->shape, column))
        join(k->word[place], k->word[place + 1], k->n, k->v[column]);
    else if (some_are_far(k->word[place], k->n))
        bring(k, k->word[place], k->v[column]);
    else
        return (struct sb_pack_column){.cell = k->word[place]};
    return (struct sb_pack_column){.v = k->v[column]};
}

static bool
is_time(const struct sb_press_block *k, unsigned column)
{
    enum sb_unit unit = k->table->desc->column[column].unit;
    return unit == SB_U_NS || unit == SB_U_AT_NS;
}

static struct sb_pack_column
nothing(struct sb_press_block *k, unsigned column)
{
    for (size_t i = 0; i < k->n; i++)
        k->v[column][i] = SB_NULL;
    return (struct sb_pack_column){.v = k->v[column]};
}

static struct sb_pack_column
numbers_of(struct sb_press_block *k, struct sb_pack_column of, unsigned column)
{
    if (!of.cell)
        return of;
    bring(k, of.cell, k->v[column]);
    return (struct sb_pack_column){.v = k->v[column]};
}

static void
add_up(const struct sb_press_block *k, const struct sb_pack_column *of, uint64_t columns, int64_t *sum)
{
    memset(sum, 0, k->n * sizeof *sum);
    for (; columns; columns &= columns - 1) {
        struct sb_pack_column c = of[__builtin_ctzll(columns)];
        for (size_t i = 0; i < k->n; i++) {
            int64_t v = !c.cell ? c.v[i] : c.cell[i] == SB_NO_NUMBER ? SB_NULL : (int64_t)c.cell[i];
            sum[i] = (int64_t)((uint64_t)sum[i] + (v == SB_NULL ? 0 : (uint64_t)v));
        }
    }
}

/* A column and its near column are packed in the same form: both as cells, or both as numbers. */
static struct sb_pack_sums
pack_beside(struct sb_press_block *k, const struct sb_pack_column *of, unsigned column, uint8_t *to)
{
    uint64_t near = k->table->column[column].near;
    struct sb_packed *d = &k->d[column].packed;
    if (near == 0)
        return sb_pack(of[column], (struct sb_pack_near){0}, k->n, to, d);
    int64_t sum[SB_BLOCK_ROWS];
    unsigned first = (unsigned)__builtin_ctzll(near);
    struct sb_pack_column it = of[column];
    struct sb_pack_near beside = {of[first], near};
    if (near & (near - 1)) {
        add_up(k, of, near, sum);
        beside.of = (struct sb_pack_column){.v = sum};
    }
    if (!it.cell != !beside.of.cell) {
        it = numbers_of(k, it, column);
        beside.of = numbers_of(k, beside.of, first);
    }
    return sb_pack(it, beside, k->n, to, d);
}

static void
pack_column(struct sb_press_block *k, const struct sb_pack_column *of, unsigned column,
            struct sb_squeezer *squeezer)
{
    struct sb_dir_block *d = &k->d[column];
    SB_RESERVE(&k->packed, SB_PACK_MAX);
    uint8_t *to = k->packed.at + k->packed.n;
    *d = (struct sb_dir_block){.at = k->packed.n};
    struct sb_pack_sums sums = pack_beside(k, of, column, to);
    sb_squeeze(squeezer, to, &d->packed);
    d->sum = (uint32_t)sb_hash(to, d->packed.bytes);
    d->nulls = sums.nulls;
    d->total = k->table->desc->column[column].type == SB_TEXT ? 0 : sums.total;
    k->packed.n += d->packed.bytes;
}

static void
pack(void *ctx, size_t i, unsigned worker)
{
    struct sb_press *p = ctx;
    struct sb_press_block *k = p->block.at[i];
    bool untimed = p->untimed;
    struct sb_pack_column of[SB_ROW_MOST];
    unsigned columns = k->table->desc->n_columns;
    if (!p->squeezer[worker])
        p->squeezer[worker] = sb_squeezer_open();
    turn(k, k->word);
    for (unsigned c = 0; c < columns; c++)
        of[c] = untimed && is_time(k, c) ? nothing(k, c) : column_of(k, c);
    k->packed.n = 0;
    for (unsigned c = 0; c < columns; c++)
        pack_column(k, of, c, p->squeezer[worker]);
}

/* ---- writing ---- */

void
sb_press_put(struct sb_press *p, const void *bytes, size_t n)
{
    sb_out_bytes(p->out, bytes, n);
    p->at += n;
}

static void
write_block(struct sb_press *p, const struct sb_press_block *k)
{
    for (unsigned c = 0; c < k->table->desc->n_columns; c++) {
        struct sb_dir_block *d = SB_PUSH(&k->table->column[c].blocks);
        *d = k->d[c];
        d->at += p->at;
    }
    sb_press_put(p, k->packed.at, k->packed.n);
}

static unsigned
threads_of(const struct sb_press *p)
{
    return p->pool ? sb_pool_threads(p->pool) : 1;
}

void
sb_press_flush(struct sb_press *p)
{
    if (!p->squeezer)
        p->squeezer = sb_zeroed_or_die(threads_of(p), sizeof(void *));
    if (p->pool && p->block.n > 1)
        sb_pool_each(p->pool, p->block.n, pack, p);
    for (size_t i = 0; i < p->block.n; i++) {
        if (!p->pool || p->block.n == 1)
            pack(p, i, 0);
        write_block(p, p->block.at[i]);
    }
    p->block.n = 0;
}

/* ---- blocks waiting to be packed ---- */

static size_t
enough(const struct sb_press *p)
{
    unsigned threads = threads_of(p);
    return threads == 1 ? 1 : threads * A_THREAD < MOST ? threads * A_THREAD : MOST;
}

struct sb_press_block *
sb_press_next(struct sb_press *p, struct sb_press_table *t)
{
    if (p->block.n == p->n_made) {
        struct sb_press_block *k = sb_realloc_or_die(NULL, sizeof *k);
        memset(k, 0, offsetof(struct sb_press_block, word));
        SB_RESERVE(&p->block, 1);
        p->block.at[p->n_made++] = k;
    }
    struct sb_press_block *k = p->block.at[p->block.n];
    k->table = t;
    return k;
}

void
sb_press_add(struct sb_press *p)
{
    const struct sb_press_block *k = p->block.at[p->block.n++];
    for (unsigned c = 0; c < k->table->desc->n_columns; c++)
        if (k->table->desc->column[c].type == SB_TEXT)
            number_texts(p, k, c);
    if (p->block.n >= enough(p))
        sb_press_flush(p);
}

/* ---- opening and closing ---- */

void
sb_press_open_table(struct sb_press_table *t, enum sb_tab tab)
{
    *t = (struct sb_press_table){.desc = &sb_schema[tab], .shape = sb_row_shape(tab)};
    t->column = sb_zeroed_or_die(t->desc->n_columns, sizeof *t->column);
    for (size_t i = 0; i < sizeof nears / sizeof *nears; i++)
        if (nears[i].tab == tab)
            t->column[nears[i].column].near |= UINT64_C(1) << nears[i].near;
}

void
sb_press_close_table(struct sb_press_table *t)
{
    for (unsigned c = 0; c < t->desc->n_columns; c++) {
        SB_VEC_FREE(&t->column[c].blocks);
        SB_VEC_FREE(&t->column[c].dict);
        SB_VEC_FREE(&t->column[c].number);
    }
    free(t->column);
}

void
sb_press_close(struct sb_press *p)
{
    for (size_t i = 0; i < p->n_made; i++) {
        sb_rows_free(&p->block.at[i]->own);
        SB_VEC_FREE(&p->block.at[i]->packed);
        free(p->block.at[i]);
    }
    SB_VEC_FREE(&p->block);
    for (unsigned w = 0; p->squeezer && w < threads_of(p); w++)
        sb_squeezer_close(p->squeezer[w]);
    free(p->squeezer);
}
