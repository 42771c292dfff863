/* Reading an open profile: texts, and blocks of columns, which are checked when first touched. */
#include "base/hash.h"
#include "base/wide.h"
#include "profile/profile_impl.h"
#include <sys/mman.h>

enum { UNCHECKED, GOOD, BAD };

const char *
sb_profile_path(const struct sb_profile *p)
{
    return p->path;
}

uint64_t
sb_profile_hash(const struct sb_profile *p)
{
    return p->hash;
}

uint64_t
sb_profile_rows(const struct sb_profile *p, enum sb_tab t)
{
    return sb_profile_holder(p, t)->table[t].rows;
}

/* ---- checks on first touch ---- */

/* Noting damage does not change the content of the profile, hence the cast. */
static void
note_damage(const struct sb_profile *profile, uint64_t at, const char *table, const char *column)
{
    struct sb_profile *p = (struct sb_profile *)profile;
    pthread_mutex_lock(&p->lock);
    if (!p->damaged) {
        p->damaged = true;
        sb_err_set(&p->damage, SB_ERR_INPUT, "%s%s%s is damaged, what is lost of it reads as NULL", table,
                   *column ? "." : "", column);
        sb_err_in(&p->damage, p->path, at);
        sb_err_advise(&p->damage, "analyse the trace again");
    }
    pthread_mutex_unlock(&p->lock);
}

struct summed { /* bytes of the file with a checksum */
    uint64_t at;
    uint32_t bytes, sum;
};

static bool
is_good(const struct sb_profile *p, _Atomic uint8_t *state, struct summed of, const char *table,
        const char *column)
{
    uint8_t s = atomic_load_explicit(state, memory_order_relaxed);
    if (s == UNCHECKED) {
        s = (uint32_t)sb_hash(p->f.p + of.at, of.bytes) == of.sum ? GOOD : BAD;
        atomic_store_explicit(state, s, memory_order_relaxed);
        if (s == BAD)
            note_damage(p, of.at, table, column);
    }
    return s == GOOD;
}

void
sb_profile_release(const struct sb_profile *p)
{
    if (p->f.n > 0)
        madvise((void *)p->f.p, p->f.n, MADV_DONTNEED);
}

bool
sb_profile_damage(const struct sb_profile *profile, struct sb_err *e)
{
    struct sb_profile *p = (struct sb_profile *)profile;
    pthread_mutex_lock(&p->lock);
    bool damaged = p->damaged;
    if (damaged && e != NULL)
        *e = p->damage;
    pthread_mutex_unlock(&p->lock);
    return damaged;
}

static void
check_table(const struct sb_profile *p, enum sb_tab t)
{
    for (unsigned c = 0; c < sb_schema[t].n_columns; c++) {
        const struct sb_kept_column *k = &p->table[t].column[c];
        for (uint64_t b = 0; k->block && b * SB_BLOCK_ROWS < p->table[t].rows; b++)
            is_good(p, &k->state[b],
                    (struct summed){k->block[b].at, k->block[b].packed.bytes, k->block[b].sum},
                    sb_schema[t].name, sb_schema[t].column[c].name);
    }
}

bool
sb_profile_check(const struct sb_profile *p, struct sb_err *e)
{
    for (unsigned t = 0; t < SB_TABLES; t++)
        check_table(p, (enum sb_tab)t);
    for (uint64_t i = 0; i * SB_CHUNK_TEXTS < p->n_texts; i++)
        is_good(p, &p->chunk_state[i], (struct summed){p->chunk[i].at, p->chunk[i].bytes, p->chunk[i].sum},
                "texts", "");
    return !sb_profile_damage(p, e);
}

/* ---- reading ---- */

static void
fill_null(int64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = SB_NULL;
}

/* Ids, like texts, are indices to readers: whatever the file holds, none is beyond the rows that it names. */
static void
fill_keys(int64_t *v, uint64_t row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = (int64_t)(row + i) + 1;
}

SB_WIDE static bool
are_rows(const int64_t *v, size_t n, int64_t least, int64_t most)
{
    bool bad = false;
    for (size_t i = 0; i < n; i++)
        bad |= (v[i] < least || v[i] > most) && v[i] != SB_NULL;
    return !bad;
}

/* False: some are not. */
static bool
refs_to_rows(const struct sb_profile *p, const struct sb_ref *ref, int64_t *v, size_t n)
{
    int64_t most = (int64_t)(p->of ? p->of : p)->table[ref->to].rows;
    if (are_rows(v, n, ref->least, most))
        return true;
    for (size_t i = 0; i < n; i++)
        v[i] = v[i] < ref->least || v[i] > most ? SB_NULL : v[i];
    return false;
}

/* Readers have arrays by text: no id is larger than those of the profile's texts, whatever the file says. */
static void
numbers_to_ids(const struct sb_profile *p, const struct sb_kept_column *c, int64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool known = v[i] >= 0 && v[i] < c->n_dict && c->dict[v[i]] < p->n_texts;
        v[i] = known ? (int64_t)c->dict[v[i]] : SB_NULL;
    }
}

static bool
block_is_good(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t b)
{
    const struct sb_kept_column *c = &p->table[t].column[col];
    const struct sb_dir_block *d = c->block ? &c->block[b] : NULL;
    return d && is_good(p, &c->state[b], (struct summed){d->at, d->packed.bytes, d->sum}, sb_schema[t].name,
                        sb_schema[t].column[col].name);
}

/* A block of n rows, with `room` for one that is compressed; NULL: it is damaged. */
static const uint8_t *
block_bytes(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t b, size_t n, uint8_t *room)
{
    if (!block_is_good(p, t, col, b))
        return NULL;
    struct sb_profile *keeper = (struct sb_profile *)p; /* of memory to read with */
    const struct sb_dir_block *d = &p->table[t].column[col].block[b];
    const uint8_t *at = sb_unsqueeze(&keeper->unsqueezer, p->f.p + d->at, &d->packed, n, room);
    if (!at)
        note_damage(p, d->at, sb_schema[t].name, sb_schema[t].column[col].name);
    return at;
}

/* Adds up the rows of the columns that the numbers of a block are close to; these refer to no others. */
static bool
read_near(const struct sb_profile *p, enum sb_tab t, uint64_t places, uint64_t b, size_t n, int64_t *sum)
{
    uint8_t room[SB_PACK_MAX + SB_PACK_SLACK];
    int64_t v[SB_BLOCK_ROWS];
    memset(sum, 0, n * sizeof *sum);
    if (__builtin_popcountll(places) > SB_PACK_NEARS)
        return false;
    for (; places; places &= places - 1) {
        int col = p->table[t].at_place[__builtin_ctzll(places)];
        if (col < 0 || sb_schema[t].column[col].type == SB_TEXT)
            return false;
        const uint8_t *at = block_bytes(p, t, (unsigned)col, b, n, room);
        if (!at || sb_packed_is_near(&p->table[t].column[col].block[b].packed))
            return false;
        sb_unpack(at, NULL, n, &p->table[t].column[col].block[b].packed, v);
        for (size_t i = 0; i < n; i++)
            sum[i] = (int64_t)((uint64_t)sum[i] + (v[i] == SB_NULL ? 0 : (uint64_t)v[i]));
    }
    return true;
}

static bool
read_block(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t b, size_t n, int64_t *v)
{
    uint8_t room[SB_PACK_MAX + SB_PACK_SLACK];
    const uint8_t *at = block_bytes(p, t, col, b, n, room);
    if (!at)
        return false;
    const struct sb_kept_column *c = &p->table[t].column[col];
    const struct sb_dir_block *d = &c->block[b];
    int64_t near[SB_BLOCK_ROWS];
    if (sb_packed_is_near(&d->packed) && !read_near(p, t, sb_packed_near(at), b, n, near))
        return false;
    sb_unpack(at, near, n, &d->packed, v);
    if (sb_schema[t].column[col].type == SB_TEXT)
        numbers_to_ids(p, c, v, n);
    else if (sb_schema[t].ref[col].kind == SB_REF_ROW && !refs_to_rows(p, &sb_schema[t].ref[col], v, n))
        note_damage(p, d->at, sb_schema[t].name, sb_schema[t].column[col].name);
    return true;
}

size_t
sb_profile_block(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t b, int64_t *v)
{
    p = sb_profile_holder(p, t);
    uint64_t rows = p->table[t].rows;
    if (b >= (rows + SB_BLOCK_ROWS - 1) / SB_BLOCK_ROWS) {
        fill_null(v, SB_BLOCK_ROWS);
        return 0;
    }
    uint64_t left = rows - b * SB_BLOCK_ROWS;
    size_t n = left < SB_BLOCK_ROWS ? left : SB_BLOCK_ROWS;
    if (sb_schema[t].ref[col].kind == SB_REF_KEY)
        fill_keys(v, b * SB_BLOCK_ROWS, n);
    else if (!read_block(p, t, col, b, n, v))
        fill_null(v, n);
    return n;
}

void
sb_profile_read(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t row, size_t n, int64_t *out)
{
    p = sb_profile_holder(p, t);
    SB_ASSERT(row <= p->table[t].rows && n <= p->table[t].rows - row);
    int64_t v[SB_BLOCK_ROWS];
    while (n > 0) {
        size_t skip = row % SB_BLOCK_ROWS;
        bool direct = skip == 0 && (n >= SB_BLOCK_ROWS || row + n == p->table[t].rows);
        size_t some = sb_profile_block(p, t, col, row / SB_BLOCK_ROWS, direct ? out : v) - skip;
        some = some < n ? some : n;
        if (!direct)
            memcpy(out, v + skip, some * sizeof *out);
        row += some, out += some, n -= some;
    }
}

int64_t
sb_profile_cell(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t row)
{
    p = sb_profile_holder(p, t);
    const struct sb_kept_column *of = &p->table[t].column[col];
    struct sb_cells *c = p->cells;
    uint64_t block = row / SB_BLOCK_ROWS;
    unsigned place = (t + col) % (sizeof c->at / sizeof *c->at);
    int64_t v;
    if (row >= p->table[t].rows)
        return SB_NULL;
    if (sb_schema[t].ref[col].kind == SB_REF_KEY)
        return (int64_t)row + 1;
    if (pthread_mutex_trylock(&c->lock) != 0) {
        sb_profile_read(p, t, col, row, 1, &v);
        return v;
    }
    if (c->at[place].of != of || c->at[place].block != block) {
        sb_profile_block(p, t, col, block, c->at[place].v);
        c->at[place].of = of;
        c->at[place].block = block;
    }
    v = c->at[place].v[row % SB_BLOCK_ROWS];
    pthread_mutex_unlock(&c->lock);
    return v;
}

static struct sb_zone
zone_of_keys(int64_t first, int64_t last)
{
    int64_t n = last - first + 1;
    return (struct sb_zone){
        .min = first, .max = last, .end = (uint64_t)last, .total = n * first + n * (n - 1) / 2};
}

static struct sb_zone
zone_of_refs(const struct sb_profile *p, const struct sb_ref *ref, struct sb_zone z)
{
    int64_t most = (int64_t)(p->of ? p->of : p)->table[ref->to].rows;
    bool beyond = z.min <= z.max && (z.min < ref->least || z.max > most);
    z.has_null |= beyond;
    z.min = beyond && z.min < ref->least ? ref->least : z.min;
    z.max = beyond && z.max > most ? most : z.max;
    return z;
}

struct sb_zone
sb_profile_zone(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t row)
{
    p = sb_profile_holder(p, t);
    const struct sb_kept_column *c = &p->table[t].column[col];
    uint64_t b = row / SB_BLOCK_ROWS, end = (b + 1) * SB_BLOCK_ROWS;
    if (row >= p->table[t].rows)
        return (struct sb_zone){1, 0, false, end, 0, 0};
    end = end < p->table[t].rows ? end : p->table[t].rows;
    if (sb_schema[t].ref[col].kind == SB_REF_KEY)
        return zone_of_keys((int64_t)(b * SB_BLOCK_ROWS) + 1, (int64_t)end);
    if (c->block == NULL)
        return (struct sb_zone){1, 0, true, end, (uint32_t)(end - b * SB_BLOCK_ROWS), 0};
    const struct sb_dir_block *d = &c->block[b];
    struct sb_zone z = {d->packed.min, d->packed.max, d->nulls > 0, end, d->nulls, d->total};
    return sb_schema[t].ref[col].kind == SB_REF_ROW ? zone_of_refs(p, &sb_schema[t].ref[col], z) : z;
}

int64_t
sb_profile_largest(const struct sb_profile *p, enum sb_tab t, unsigned col)
{
    int64_t most = 0;
    for (uint64_t row = 0; row < sb_profile_rows(p, t);) {
        struct sb_zone z = sb_profile_zone(p, t, col, row);
        most = z.min <= z.max && z.max > most ? z.max : most;
        row = z.end;
    }
    return most;
}

bool
sb_profile_has_values(const struct sb_profile *p, enum sb_tab t, unsigned col)
{
    struct sb_zone z;
    for (uint64_t row = 0; row < sb_profile_rows(p, t); row = z.end) {
        z = sb_profile_zone(p, t, col, row);
        if (z.min <= z.max)
            return true;
    }
    return false;
}

struct sb_str
sb_profile_meta(const struct sb_profile *p, struct sb_str key)
{
    int64_t v[SB_BLOCK_ROWS], id = sb_profile_find_text(p, key);
    uint64_t rows = id == SB_NULL ? 0 : sb_profile_rows(p, SB_T_meta);
    for (uint64_t b = 0; b * SB_BLOCK_ROWS < rows; b++)
        for (size_t i = 0, n = sb_profile_block(p, SB_T_meta, SB_C_meta__key, b, v); i < n; i++)
            if (v[i] == id)
                return sb_profile_text(p, SB_CELL(p, meta, value, b * SB_BLOCK_ROWS + i));
    return (struct sb_str){0};
}

bool
sb_profile_is_timed(const struct sb_profile *p)
{
    return sb_profile_meta(p, SB_STR("span_ns")).n > 0;
}

static int64_t
find_span(const struct sb_profile *p)
{
    int64_t span;
    if (sb_str_to_i64(sb_profile_meta(p, SB_STR("span_ns")), &span) && span >= 0)
        return span;
    int64_t end = sb_profile_largest(p, SB_T_process, SB_C_process__end),
            seen = sb_profile_largest(p, SB_T_process, SB_C_process__last_seen);
    return end > seen ? end : seen;
}

int64_t
sb_profile_span(const struct sb_profile *profile)
{
    struct sb_profile *p = (struct sb_profile *)profile;
    int64_t span = atomic_load_explicit(&p->span_ns, memory_order_relaxed);
    if (span == SB_NULL) {
        span = find_span(p);
        atomic_store_explicit(&p->span_ns, span, memory_order_relaxed);
    }
    return span;
}

int64_t
sb_profile_text_number(const struct sb_profile *p, enum sb_tab t, unsigned col, int64_t text_id)
{
    const struct sb_kept_column *c = &p->table[t].column[col];
    for (uint32_t k = 0; k < c->n_dict; k++)
        if (c->dict[k] == text_id)
            return k;
    return SB_NULL;
}

/* ---- texts ---- */

int64_t
sb_profile_texts(const struct sb_profile *p)
{
    return (int64_t)p->n_texts;
}

struct sb_str
sb_profile_text(const struct sb_profile *p, int64_t id)
{
    static const struct sb_str none = {NULL, 0};
    if (id < 0 || (uint64_t)id >= p->n_texts)
        return none;
    uint64_t i = (uint64_t)id / SB_CHUNK_TEXTS, k = (uint64_t)id % SB_CHUNK_TEXTS;
    const struct sb_dir_chunk *c = &p->chunk[i];
    uint64_t left = p->n_texts - i * SB_CHUNK_TEXTS,
             head = 4 * (left < SB_CHUNK_TEXTS ? left : SB_CHUNK_TEXTS);
    if (c->bytes < head ||
        !is_good(p, &p->chunk_state[i], (struct summed){c->at, c->bytes, c->sum}, "texts", ""))
        return none;
    uint32_t from = 0, to;
    const uint8_t *at = p->f.p + c->at;
    if (k > 0)
        memcpy(&from, at + 4 * (k - 1), 4);
    memcpy(&to, at + 4 * k, 4);
    if (from > to || to > c->bytes - head)
        return none;
    return (struct sb_str){(const char *)at + head + from, to - from};
}

int64_t
sb_profile_find_text(const struct sb_profile *p, struct sb_str s)
{
    int64_t from = 0, to = (int64_t)p->n_texts;
    while (from < to) {
        int64_t mid = from + (to - from) / 2;
        int c = sb_str_cmp(sb_profile_text(p, mid), s);
        if (c == 0)
            return mid;
        if (c < 0)
            from = mid + 1;
        else
            to = mid;
    }
    return SB_NULL;
}

int64_t
sb_profile_wall_ns(const struct sb_profile *p)
{
    int64_t ns, start_ns = SB_CELL(p, node, trace_start, 0), offset_ns = SB_CELL(p, node, clock_offset_ns, 0),
                own_ns = SB_CELL(p, node, wall_ns, 0);
    bool known = start_ns != SB_NULL && own_ns != SB_NULL &&
                 sb_str_to_i64(sb_profile_meta(p, SB_STR("t0_ns")), &ns) &&
                 !__builtin_add_overflow(ns, start_ns, &ns) &&
                 !__builtin_sub_overflow(ns, offset_ns == SB_NULL ? 0 : offset_ns, &ns) &&
                 !__builtin_add_overflow(ns, own_ns, &ns);
    return known ? ns : SB_NULL;
}

struct sb_str
sb_profile_far_node(const struct sb_profile *p, int64_t node)
{
    bool far = node > 1 && (uint64_t)node <= sb_profile_rows(p, SB_T_node) &&
               sb_profile_cell(p, SB_T_node, SB_C_node__trace_start, (uint64_t)node - 1) == SB_NULL;
    return far ? sb_profile_text(p, sb_profile_cell(p, SB_T_node, SB_C_node__name, (uint64_t)node - 1))
               : SB_STR("");
}
