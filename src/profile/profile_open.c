/* Opening a profile: its header, footer and directory, with the checks that must pass before anything is
 * read. profile/format.h describes the file. */
#include "base/hash.h"
#include "profile/derive.h"
#include "profile/follows.h"
#include "profile/padding.h"
#include "profile/profile_impl.h"
#include <stdlib.h>

/* ---- the frame: head, foot, directory ---- */

static bool
damaged_frame(struct sb_err *e, const char *what, uint64_t at)
{
    sb_err_set(e, SB_ERR_INPUT, "%s", what);
    sb_err_in(e, NULL, at);
    return sb_err_advise(e, "analyse the trace again");
}

static bool
other_version(struct sb_err *e, uint32_t version)
{
    bool newer = version > SB_SBP_VERSION;
    sb_err_set(e, SB_ERR_INPUT, "%s strobe wrote this profile (version %u)", newer ? "a newer" : "an older",
               version);
    sb_err_in(e, NULL, offsetof(struct sb_sbp_head, version));
    return sb_err_advise(e, newer ? "use that strobe" : "run strobe analyze on its trace");
}

static bool
check_head(const struct sb_file *f, struct sb_err *e)
{
    const struct sb_sbp_head *h = (const void *)f->p;
    if (!sb_profile_is(f->p, f->n))
        return damaged_frame(e, "not a strobe profile", 0);
    if (f->n < sizeof *h + sizeof(struct sb_sbp_foot))
        return damaged_frame(e, "cut off", f->n);
    if (h->version == 0 || h->block_rows != SB_BLOCK_ROWS)
        return damaged_frame(e, "the head is damaged", 8);
    return h->version == SB_SBP_VERSION || other_version(e, h->version);
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
    return true;
}

/* A copy of the directory. It is checked once and trusted from then on, while the file can be overwritten at
 * any time; blocks and texts, which are read in place, may hold any bytes. */
static const uint8_t *
copy_directory(struct sb_profile *p, const struct sb_sbp_foot *foot, struct sb_err *e)
{
    uint8_t *dir = sb_arena_alloc(&p->arena, foot->dir_bytes + 1, 8);
    memcpy(dir, p->f.p + foot->dir_at, foot->dir_bytes);
    if (foot->dir_hash == sb_hash(dir, foot->dir_bytes))
        return dir;
    damaged_frame(e, "the directory is damaged", foot->dir_at);
    return NULL;
}

/* The unread rest of the directory; taking more than is left gives NULL. */
struct dir {
    const uint8_t *p;
    uint64_t n, at; /* at: offset in the file */
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
    bool seen[SB_TABLES];
    uint64_t bytes;     /* of the blocks and dictionaries of the table */
    uint64_t all_bytes; /* of the blocks of all tables */
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
        o->bytes += block[i].packed.bytes;
        o->all_bytes += block[i].packed.bytes;
        if (o->all_bytes > o->dir_at) /* blocks share no bytes */
            return bad_directory(o->e, &o->d, t->name, c->name);
    }
    o->bytes += c->n_dict * sizeof *dict;
    int col = tab < 0 ? -1 : sb_schema_column((enum sb_tab)tab, sb_str_of(c->name));
    if (col < 0)
        return true; /* written by a newer strobe */
    struct sb_kept_column *to = &o->p->table[tab].column[col];
    if (c->type != (uint32_t)sb_schema[tab].column[col].type || to->block != NULL)
        return bad_directory(o->e, &o->d, t->name, c->name);
    if (place < SB_PLACES)
        o->p->table[tab].at_place[place] = (int8_t)col;
    *to = (struct sb_kept_column){block, dict, c->n_dict,
                                  (void *)SB_NEW_N(&o->p->arena, uint8_t, c->n_blocks + 1)};
    return true;
}

static bool
claims_too_much(struct opening *o, enum sb_tab t, uint64_t bytes)
{
    if (bytes >= sb_padding_least(t, o->p->table[t].rows))
        return false;
    sb_err_set(o->e, SB_ERR_INPUT, "%s claims %llu rows in %llu bytes", sb_schema[t].name,
               (unsigned long long)o->p->table[t].rows, (unsigned long long)bytes);
    sb_err_in(o->e, NULL, o->d.at);
    sb_err_advise(o->e, "analyse the trace again");
    return true;
}

/* Rows need blocks: each column has one entry for 4,096 rows, so a table with a column has no more rows than
 * the directory has room for. A table without columns has no rows. */
static bool
read_table(struct opening *o)
{
    const struct sb_dir_table *t = take(&o->d, 1, sizeof *t);
    if (t == NULL || !is_terminated(t->name))
        return bad_directory(o->e, &o->d, "", "");
    enum sb_tab tab;
    bool known = sb_schema_table(sb_str_of(t->name), &tab);
    if ((t->n_columns == 0 && t->rows > 0) || (known && o->seen[tab]) || t->rows > INT64_MAX / 2)
        return bad_directory(o->e, &o->d, t->name, "");
    if (known) {
        o->seen[tab] = true;
        o->p->table[tab].rows = t->rows;
    }
    o->bytes = 0;
    for (uint64_t c = 0; c < t->n_columns; c++)
        SB_TRY(read_column(o, t, known ? (int)tab : -1, c));
    return !known || !claims_too_much(o, tab, o->bytes);
}

/* The chunk has room for the ends of its texts, and lies before the directory. */
static bool
chunk_fits(const struct sb_dir_chunk *c, uint64_t texts, uint64_t dir_at)
{
    return c->at % 8 == 0 && c->at <= dir_at && c->bytes <= dir_at - c->at &&
           c->bytes / sizeof(uint32_t) >= texts;
}

static bool
read_chunks(struct opening *o, const struct sb_dir_head *h)
{
    struct sb_profile *p = o->p;
    p->chunk = take(&o->d, h->n_chunks, sizeof *p->chunk);
    if (p->chunk == NULL || h->n_texts > (uint64_t)h->n_chunks * SB_CHUNK_TEXTS ||
        h->n_chunks != (h->n_texts + SB_CHUNK_TEXTS - 1) / SB_CHUNK_TEXTS)
        return bad_directory(o->e, &o->d, "texts", "");
    for (uint32_t i = 0; i < h->n_chunks; i++) {
        uint64_t left = h->n_texts - (uint64_t)i * SB_CHUNK_TEXTS;
        if (!chunk_fits(&p->chunk[i], left < SB_CHUNK_TEXTS ? left : SB_CHUNK_TEXTS, o->dir_at))
            return bad_directory(o->e, &o->d, "texts", "");
    }
    p->n_texts = h->n_texts;
    p->chunk_state = (void *)SB_NEW_N(&p->arena, uint8_t, h->n_chunks + 1u);
    return true;
}

static bool
read_directory(struct sb_profile *p, struct sb_err *e)
{
    struct sb_sbp_foot foot;
    SB_TRY(check_head(&p->f, e) && check_foot(&p->f, &foot, e));
    const uint8_t *dir = copy_directory(p, &foot, e);
    if (dir == NULL)
        return false;
    p->hash = foot.dir_hash;
    struct opening o = {p, {dir, foot.dir_bytes, foot.dir_at}, foot.dir_at, e, .seen = {false}};
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
    struct sb_file f;
    struct sb_sbp_head head;
    if (!sb_file_open(&f, path, NULL))
        return false;
    bool is_whole = f.n >= sizeof head && sb_profile_is(f.p, f.n);
    if (is_whole)
        memcpy(&head, f.p, sizeof head);
    sb_file_close(&f);
    return is_whole && head.version < SB_SBP_VERSION;
}

static bool
open_file(struct sb_profile **out, struct sb_file f, const char *path, const struct sb_profile *of,
          struct sb_err *e)
{
    struct sb_profile *p = sb_zeroed_or_die(1, sizeof *p);
    p->f = f;
    p->of = of;
    p->span_ns = SB_NULL;
    pthread_mutex_init(&p->lock, NULL);
    p->cells = sb_zeroed_or_die(1, sizeof *p->cells);
    pthread_mutex_init(&p->cells->lock, NULL);
    pthread_mutex_init(&p->derive_lock, NULL);
    pthread_cond_init(&p->derived_one, NULL);
    p->path = (char *)sb_arena_str(&p->arena, sb_str_of(path)).p;
    for (unsigned t = 0; t < SB_TABLES; t++) {
        p->table[t].column = SB_NEW_N(&p->arena, struct sb_kept_column, sb_schema[t].n_columns);
        memset(p->table[t].at_place, -1, sizeof p->table[t].at_place);
    }
    if (!read_directory(p, e)) {
        sb_profile_close(p);
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    *out = p;
    return true;
}

/* ---- tables that follow from others ---- */

static void
forget(void *value)
{
    sb_profile_close(*(struct sb_profile **)value);
}

static bool
make(void *value, const struct sb_profile *p, enum sb_tab t, struct sb_err *e)
{
    size_t n;
    char *bytes = sb_follows_bytes(p, t, &n);
    return open_file(value, (struct sb_file){.p = (uint8_t *)bytes, .n = n, .fd = -1}, p->path, p, e);
}

static bool
make_migration(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)a;
    return make(value, p, SB_T_migration, e);
}

static bool
make_message_edge(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)a;
    return make(value, p, SB_T_message_edge, e);
}

/* 0: message_edge is in the file, if it has rows. */
static uint64_t
pairs_told(const struct sb_profile *p)
{
    uint64_t n = 0;
    return sb_str_to_u64(sb_profile_meta(p, SB_STR("pairs")), &n) ? n : 0;
}

static const struct sb_profile *
follow(const struct sb_profile *p, enum sb_tab t)
{
    static const struct sb_derived migration = {sizeof(struct sb_profile *), make_migration, forget},
                                   message_edge = {sizeof(struct sb_profile *), make_message_edge, forget};
    bool moves = t == SB_T_migration;
    struct sb_err e = {0};
    if (!sb_follows(t) || p->table[moves ? SB_T_slice : SB_T_message].rows == 0 ||
        (!moves && pairs_told(p) == 0))
        return p;
    struct sb_profile *const *made = sb_profile_derive(p, moves ? &migration : &message_edge, &e);
    return made ? *made : p;
}

uint64_t
sb_profile_rows_told(const struct sb_profile *p, enum sb_tab t)
{
    uint64_t n = p->table[t].rows;
    if (n > 0 || !sb_follows(t))
        return n;
    if (t == SB_T_message_edge)
        return pairs_told(p);
    for (struct sb_zone z = {0}; z.end < p->table[SB_T_process].rows;) {
        z = sb_profile_zone(p, SB_T_process, SB_C_process__migrations, z.end);
        n += (uint64_t)z.total;
    }
    return n;
}

bool
sb_profile_open(struct sb_profile **p, const char *path, struct sb_err *e)
{
    struct sb_file f;
    SB_TRY(sb_file_open(&f, path, e) && open_file(p, f, path, NULL, e));
    (*p)->follow = follow;
    return true;
}

void
sb_profile_close(struct sb_profile *p)
{
    if (p == NULL)
        return;
    sb_profile_forget(p);
    if (p->of)
        free((void *)p->f.p);
    else
        sb_file_close(&p->f);
    pthread_mutex_destroy(&p->derive_lock);
    pthread_cond_destroy(&p->derived_one);
    pthread_mutex_destroy(&p->lock);
    pthread_mutex_destroy(&p->cells->lock);
    free(p->cells);
    sb_unsqueezer_close(&p->unsqueezer);
    sb_arena_close(&p->arena);
    free(p);
}
