/* Opening a profile, and reading its columns. How the file lies on disk: profile/format.h. */
#include "profile/profile.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "profile/format.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { UNCHECKED, GOOD, BAD, PLACES = 64 };

struct column {
    const struct sb_dir_block *block; /* NULL when the file has no such column: all NULL */
    const uint32_t *dict;
    uint32_t n_dict;
    _Atomic uint8_t *state; /* of each block */
};

struct sb_profile {
    struct sb_file f;
    char *path;
    uint64_t hash;
    struct {
        uint64_t rows;
        struct column *column;
        int8_t at_place[PLACES]; /* column of the schema by its place in the directory, -1: none */
    } table[SB_TABLES];
    const struct sb_dir_chunk *chunk;
    _Atomic uint8_t *chunk_state;
    uint64_t n_texts;
    struct sb_arena arena;
    pthread_mutex_t lock; /* of what follows */
    bool damaged;
    struct sb_err damage;
};

/* ---- the frame: head, foot, directory ---- */

static bool
damaged_frame(struct sb_err *e, const char *what, uint64_t at)
{
    sb_err_set(e, SB_ERR_INPUT, "%s", what);
    sb_err_in(e, NULL, at);
    return sb_err_advise(e, "analyse the trace again");
}

static bool
check_head(const struct sb_file *f, struct sb_err *e)
{
    const struct sb_sbp_head *h = (const void *)f->p;
    if (!sb_profile_is(f->p, f->n))
        return damaged_frame(e, "not a strobe profile", 0);
    if (f->n < sizeof *h + sizeof(struct sb_sbp_foot))
        return damaged_frame(e, "cut off", f->n);
    if (h->version > SB_SBP_VERSION) {
        sb_err_set(e, SB_ERR_INPUT, "a profile of version %u, this strobe reads up to %u", h->version,
                   SB_SBP_VERSION);
        sb_err_in(e, NULL, offsetof(struct sb_sbp_head, version));
        return sb_err_advise(e, "use a newer strobe");
    }
    if (h->version == 0 || h->block_rows != SB_BLOCK_ROWS)
        return damaged_frame(e, "the head is damaged", 8);
    if (h->version < SB_SBP_VERSION)
        return damaged_frame(e, "is of an older strobe", 8);
    return true;
}

static bool
check_foot(const struct sb_file *f, struct sb_sbp_foot *foot, struct sb_err *e)
{
    uint64_t at = f->n - sizeof *foot;
    memcpy(foot, f->p + at, sizeof *foot);
    if (memcmp(foot->magic, SB_SBP_END, sizeof foot->magic) != 0)
        return damaged_frame(e, "cut off, or its end is damaged", f->n);
    if (foot->foot_hash != sb_hash(foot, offsetof(struct sb_sbp_foot, foot_hash)))
        return damaged_frame(e, "the footer is damaged", at);
    if (foot->file_bytes != f->n || foot->dir_at % 8 != 0 || foot->dir_at < sizeof(struct sb_sbp_head) ||
        foot->dir_at > at || foot->dir_bytes != at - foot->dir_at)
        return damaged_frame(e, "not as long as its footer says", at);
    if (foot->dir_hash != sb_hash(f->p + foot->dir_at, foot->dir_bytes))
        return damaged_frame(e, "the directory is damaged", foot->dir_at);
    return true;
}

/* What is left of the directory; taking more than there is gives NULL. */
struct dir {
    const uint8_t *p;
    uint64_t n, at; /* at: in the file */
};

static const void *
take(struct dir *d, uint64_t count, uint64_t size)
{
    if (count > d->n / size)
        return NULL;
    uint64_t bytes = (count * size + 7) & ~UINT64_C(7);
    if (bytes > d->n)
        return NULL;
    const void *p = d->p;
    d->p += bytes, d->n -= bytes, d->at += bytes;
    return p;
}

static bool
bad_directory(struct sb_err *e, const struct dir *d, const char *table, const char *column)
{
    sb_err_set(e, SB_ERR_INPUT, "the directory makes no sense%s%.32s%s%.32s", *table ? " for " : "", table,
               *column ? "." : "", column);
    sb_err_in(e, NULL, d->at);
    return sb_err_advise(e, "analyse the trace again");
}

static bool
block_fits(const struct sb_dir_block *b, size_t rows, uint64_t dir_at)
{
    return sb_packed_ok(&b->packed, rows) && b->nulls <= rows && b->at % 8 == 0 && b->at <= dir_at &&
           b->packed.bytes <= dir_at - b->at;
}

/* ---- the directory's tables ---- */

struct opening {
    struct sb_profile *p;
    struct dir d;
    uint64_t dir_at;
    struct sb_err *e;
};

static bool
is_terminated(const char *name)
{
    return memchr(name, 0, SB_NAME_MAX) != NULL;
}

static bool
read_column(struct opening *o, const struct sb_dir_table *t, int tab, uint64_t place)
{
    const struct sb_dir_column *c = take(&o->d, 1, sizeof *c);
    if (c == NULL || !is_terminated(c->name))
        return bad_directory(o->e, &o->d, t->name, "");
    const uint32_t *dict = take(&o->d, c->n_dict, sizeof *dict);
    const struct sb_dir_block *block = dict ? take(&o->d, c->n_blocks, sizeof *block) : NULL;
    if (block == NULL || c->n_blocks != (t->rows + SB_BLOCK_ROWS - 1) / SB_BLOCK_ROWS)
        return bad_directory(o->e, &o->d, t->name, c->name);
    for (uint64_t i = 0; i < c->n_blocks; i++) {
        uint64_t left = t->rows - i * SB_BLOCK_ROWS;
        if (!block_fits(&block[i], left < SB_BLOCK_ROWS ? left : SB_BLOCK_ROWS, o->dir_at))
            return bad_directory(o->e, &o->d, t->name, c->name);
    }
    int col = tab < 0 ? -1 : sb_schema_column((enum sb_tab)tab, sb_str_of(c->name));
    if (col < 0)
        return true; /* of a newer strobe */
    struct column *to = &o->p->table[tab].column[col];
    if (c->type != (uint32_t)sb_schema[tab].column[col].type || to->block != NULL)
        return bad_directory(o->e, &o->d, t->name, c->name);
    if (place < PLACES)
        o->p->table[tab].at_place[place] = (int8_t)col;
    *to = (struct column){block, dict, c->n_dict, (void *)SB_NEW_N(&o->p->arena, uint8_t, c->n_blocks + 1)};
    return true;
}

static bool
read_table(struct opening *o)
{
    const struct sb_dir_table *t = take(&o->d, 1, sizeof *t);
    if (t == NULL || !is_terminated(t->name) || t->rows > INT64_MAX / 2)
        return bad_directory(o->e, &o->d, "", "");
    enum sb_tab tab;
    bool known = sb_schema_table(sb_str_of(t->name), &tab);
    if (known && o->p->table[tab].rows > 0)
        return bad_directory(o->e, &o->d, t->name, "");
    if (known)
        o->p->table[tab].rows = t->rows;
    for (uint64_t c = 0; c < t->n_columns; c++)
        SB_TRY(read_column(o, t, known ? (int)tab : -1, c));
    return true;
}

static bool
read_chunks(struct opening *o, const struct sb_dir_head *h)
{
    struct sb_profile *p = o->p;
    if (h->n_chunks != (h->n_texts + SB_CHUNK_TEXTS - 1) / SB_CHUNK_TEXTS)
        return bad_directory(o->e, &o->d, "texts", "");
    p->chunk = take(&o->d, h->n_chunks, sizeof *p->chunk);
    if (p->chunk == NULL)
        return bad_directory(o->e, &o->d, "texts", "");
    for (uint32_t i = 0; i < h->n_chunks; i++)
        if (p->chunk[i].at % 8 != 0 || p->chunk[i].at > o->dir_at ||
            p->chunk[i].bytes > o->dir_at - p->chunk[i].at)
            return bad_directory(o->e, &o->d, "texts", "");
    p->n_texts = h->n_texts;
    p->chunk_state = (void *)SB_NEW_N(&p->arena, uint8_t, h->n_chunks + 1u);
    return true;
}

static bool
read_directory(struct sb_profile *p, struct sb_err *e)
{
    struct sb_sbp_foot foot;
    SB_TRY(check_head(&p->f, e) && check_foot(&p->f, &foot, e));
    p->hash = foot.dir_hash;
    struct opening o = {p, {p->f.p + foot.dir_at, foot.dir_bytes, foot.dir_at}, foot.dir_at, e};
    const struct sb_dir_head *h = take(&o.d, 1, sizeof *h);
    if (h == NULL)
        return bad_directory(e, &o.d, "", "");
    SB_TRY(read_chunks(&o, h));
    for (uint32_t i = 0; i < h->n_tables; i++)
        SB_TRY(read_table(&o));
    return o.d.n == 0 || bad_directory(e, &o.d, "", "");
}

/* ---- opening and closing ---- */

bool
sb_profile_is(const uint8_t *head, size_t n)
{
    return n >= 8 && memcmp(head, SB_SBP_MAGIC, 8) == 0;
}

bool
sb_profile_is_old(const char *path)
{
    struct sb_sbp_head head = {0};
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return false;
    bool whole = fread(&head, sizeof head, 1, f) == 1;
    fclose(f);
    return whole && sb_profile_is((const uint8_t *)&head, sizeof head) && head.version < SB_SBP_VERSION;
}

bool
sb_profile_open(struct sb_profile **out, const char *path, struct sb_err *e)
{
    struct sb_file f;
    SB_TRY(sb_file_open(&f, path, e));
    struct sb_profile *p = sb_realloc_or_die(NULL, sizeof *p);
    memset(p, 0, sizeof *p);
    p->f = f;
    pthread_mutex_init(&p->lock, NULL);
    sb_arena_init(&p->arena);
    p->path = (char *)sb_arena_str(&p->arena, sb_str_of(path)).p;
    for (unsigned t = 0; t < SB_TABLES; t++) {
        p->table[t].column = SB_NEW_N(&p->arena, struct column, sb_schema[t].n_columns);
        memset(p->table[t].at_place, -1, sizeof p->table[t].at_place);
    }
    if (!read_directory(p, e)) {
        sb_profile_close(p);
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    *out = p;
    return true;
}

void
sb_profile_close(struct sb_profile *p)
{
    if (p == NULL)
        return;
    sb_file_close(&p->f);
    pthread_mutex_destroy(&p->lock);
    sb_arena_close(&p->arena);
    free(p);
}

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
    return p->table[t].rows;
}

/* ---- checks at the first touch ---- */

/* Noting damage does not change what the profile says: hence the cast. */
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

static bool
is_good(const struct sb_profile *p, _Atomic uint8_t *state, uint64_t at, uint32_t bytes, uint32_t sum,
        const char *table, const char *column)
{
    uint8_t s = atomic_load_explicit(state, memory_order_relaxed);
    if (s == UNCHECKED) {
        s = (uint32_t)sb_hash(p->f.p + at, bytes) == sum ? GOOD : BAD;
        atomic_store_explicit(state, s, memory_order_relaxed);
        if (s == BAD)
            note_damage(p, at, table, column);
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
        const struct column *k = &p->table[t].column[c];
        for (uint64_t b = 0; k->block && b * SB_BLOCK_ROWS < p->table[t].rows; b++)
            is_good(p, &k->state[b], k->block[b].at, k->block[b].packed.bytes, k->block[b].sum,
                    sb_schema[t].name, sb_schema[t].column[c].name);
    }
}

bool
sb_profile_check(const struct sb_profile *p, struct sb_err *e)
{
    for (unsigned t = 0; t < SB_TABLES; t++)
        check_table(p, (enum sb_tab)t);
    for (uint64_t i = 0; i * SB_CHUNK_TEXTS < p->n_texts; i++)
        is_good(p, &p->chunk_state[i], p->chunk[i].at, p->chunk[i].bytes, p->chunk[i].sum, "texts", "");
    return !sb_profile_damage(p, e);
}

/* ---- reading ---- */

static void
fill_null(int64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = SB_NULL;
}

static void
numbers_to_ids(const struct column *c, int64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = v[i] >= 0 && v[i] < c->n_dict ? c->dict[v[i]] : SB_NULL;
}

static bool
block_is_good(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t b)
{
    const struct column *c = &p->table[t].column[col];
    const struct sb_dir_block *d = c->block ? &c->block[b] : NULL;
    return d && is_good(p, &c->state[b], d->at, d->packed.bytes, d->sum, sb_schema[t].name,
                        sb_schema[t].column[col].name);
}

/* What the numbers of a block stand near to: rows of a column that stands for itself. */
static bool
read_near(const struct sb_profile *p, enum sb_tab t, uint64_t place, uint64_t b, size_t n, int64_t *v)
{
    int col = place < PLACES ? p->table[t].at_place[place] : -1;
    if (col < 0 || sb_schema[t].column[col].type == SB_TEXT || !block_is_good(p, t, (unsigned)col, b))
        return false;
    const struct sb_dir_block *d = &p->table[t].column[col].block[b];
    if (sb_packed_is_near(&d->packed))
        return false;
    sb_unpack(p->f.p + d->at, NULL, n, &d->packed, v);
    return true;
}

static bool
read_block(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t b, size_t n, int64_t *v)
{
    if (!block_is_good(p, t, col, b))
        return false;
    const struct column *c = &p->table[t].column[col];
    const struct sb_dir_block *d = &c->block[b];
    int64_t near[SB_BLOCK_ROWS];
    if (sb_packed_is_near(&d->packed) && !read_near(p, t, sb_packed_near(p->f.p + d->at), b, n, near))
        return false;
    sb_unpack(p->f.p + d->at, near, n, &d->packed, v);
    if (sb_schema[t].column[col].type == SB_TEXT)
        numbers_to_ids(c, v, n);
    return true;
}

size_t
sb_profile_block(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t b, int64_t *v)
{
    uint64_t left = p->table[t].rows - b * SB_BLOCK_ROWS;
    size_t n = left < SB_BLOCK_ROWS ? left : SB_BLOCK_ROWS;
    if (!read_block(p, t, col, b, n, v))
        fill_null(v, n);
    return n;
}

void
sb_profile_read(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t row, size_t n, int64_t *out)
{
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
    int64_t v;
    sb_profile_read(p, t, col, row, 1, &v);
    return v;
}

struct sb_zone
sb_profile_zone(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t row)
{
    const struct column *c = &p->table[t].column[col];
    uint64_t b = row / SB_BLOCK_ROWS, end = (b + 1) * SB_BLOCK_ROWS;
    end = end < p->table[t].rows ? end : p->table[t].rows;
    if (c->block == NULL)
        return (struct sb_zone){1, 0, true, end, (uint32_t)(end - b * SB_BLOCK_ROWS), 0};
    const struct sb_dir_block *d = &c->block[b];
    return (struct sb_zone){d->packed.min, d->packed.max, d->nulls > 0, end, d->nulls, d->total};
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

int64_t
sb_profile_text_number(const struct sb_profile *p, enum sb_tab t, unsigned col, int64_t text_id)
{
    const struct column *c = &p->table[t].column[col];
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
    if (c->bytes < head || !is_good(p, &p->chunk_state[i], c->at, c->bytes, c->sum, "texts", ""))
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
