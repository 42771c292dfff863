#include "answer/keep.h"
#include "base/hash.h"
#include "base/vec.h"
#include "profile/derive.h"
#include "why/predict/calibration.h"
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGE = 1 << 18 /* slices and messages */, MOST_BYTES = 64 << 20 };

/*
 * The file: a head, then answers one after another. Everything is a multiple of 8 bytes; a text is its length + 1, 0 if
 * it is NULL, and its bytes, padded.
 *
 *     answer = text name | uint64 elixir, columns, rows | for each column: text name, uint64 type | cells, row by row
 */
#define MAGIC "strobe.a"
struct head {
    char magic[8] SB_NOT_TEXT;
    uint64_t made_with; /* the profile, the program and the calibration */
    uint64_t hash;      /* of all that follows */
};

struct kept {
    struct sb_str name;
    bool elixir;
    struct sb_table table; /* of a file: its columns have a name and a type */
};

struct keep { /* of an open profile */
    pthread_mutex_t lock;
    struct sb_arena *arena;
    struct sb_str path;
    uint64_t made_with;
    SB_VEC(struct kept) of;
    bool is_new; /* some are not in the file */
};

/* ---- what answers depend on ---- */

bool
sb_keep_is_wanted(const struct sb_profile *p)
{
    return sb_profile_rows(p, SB_T_slice) + sb_profile_rows(p, SB_T_message) >= LARGE;
}

static uint64_t
program(void)
{
    struct stat st;
    if (stat("/proc/self/exe", &st) != 0)
        return 0;
    uint64_t of[] = {(uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec};
    return sb_hash(of, sizeof of);
}

static uint64_t
calibration(void)
{
    struct sb_calibration c = sb_calibration_read();
    double of[] = {c.is_measured,
#define NUMBER(name, doc) c.name,
                   SB_CALIBRATION_NUMBERS(NUMBER)
#undef NUMBER
    };
    return sb_hash(of, sizeof of);
}

static uint64_t
made_with(const struct sb_profile *p)
{
    uint64_t of[] = {sb_profile_hash(p), program(), calibration()};
    return sb_hash(of, sizeof of);
}

/* Whoever owns the profile may say what it holds, and nobody else. */
static bool
is_of_owner(const struct sb_profile *p, const char *path, bool if_none)
{
    struct stat of, st;
    if (stat(sb_profile_path(p), &of) != 0)
        return false;
    return lstat(path, &st) == 0 ? S_ISREG(st.st_mode) && st.st_uid == of.st_uid
                                 : if_none && of.st_uid == geteuid();
}

/* ---- reading; the file may hold anything ---- */

struct in {
    const uint8_t *p;
    uint64_t n;
    bool bad;
};

static uint64_t
get(struct in *in)
{
    if (in->n < sizeof(uint64_t)) {
        in->bad = true;
        return 0;
    }
    uint64_t v = sb_get_le64(in->p);
    in->p += sizeof v, in->n -= sizeof v;
    return v;
}

static struct sb_str
get_text(struct in *in, struct sb_arena *a)
{
    uint64_t n = get(in);
    if (n == 0)
        return (struct sb_str){NULL, 0};
    uint64_t padded = (--n + 7) & ~UINT64_C(7);
    if (n > in->n || padded > in->n) {
        in->bad = true;
        return (struct sb_str){NULL, 0};
    }
    struct sb_str s = sb_arena_str(a, (struct sb_str){(const char *)in->p, n});
    in->p += padded, in->n -= padded;
    return s;
}

static bool
get_columns(struct in *in, struct sb_table *t)
{
    struct sb_column *column = SB_NEW_N(t->arena, struct sb_column, t->n_columns);
    for (size_t c = 0; c < t->n_columns; c++) {
        struct sb_str name = get_text(in, t->arena);
        uint64_t type = get(in);
        if (in->bad || !name.p || type > SB_REAL)
            return false;
        column[c] = (struct sb_column){.name = name.p, .type = (enum sb_type)type};
    }
    t->column = column;
    return true;
}

static bool
get_answer(struct in *in, struct keep *k)
{
    enum { MOST_COLUMNS = 64 };
    struct kept r = {.name = get_text(in, k->arena), .elixir = get(in) == 1};
    uint64_t columns = get(in), rows = get(in);
    sb_table_init(&r.table, k->arena, NULL, columns);
    if (in->bad || columns < 1 || columns > MOST_COLUMNS || !get_columns(in, &r.table) ||
        rows > in->n / sizeof(uint64_t) / columns)
        return false;
    sb_table_reserve(&r.table, rows + 1);
    r.table.n_rows = rows;
    for (size_t i = 0; i < rows * columns; i++)
        if (r.table.column[i % columns].type == SB_TEXT)
            r.table.cell[i].s = get_text(in, k->arena);
        else
            r.table.cell[i].i = (int64_t)get(in);
    if (!in->bad)
        *SB_PUSH(&k->of) = r;
    return !in->bad;
}

static void
read_file(struct keep *k)
{
    struct sb_file f;
    struct head h;
    if (!sb_file_open(&f, k->path.p, NULL))
        return;
    if (f.n >= sizeof h && f.n <= MOST_BYTES) {
        uint8_t *copy = sb_realloc_or_die(NULL, f.n); /* the file may change meanwhile */
        memcpy(copy, f.p, f.n);
        memcpy(&h, copy, sizeof h);
        struct in in = {copy + sizeof h, f.n - sizeof h, false};
        if (memcmp(h.magic, MAGIC, sizeof h.magic) == 0 && h.made_with == k->made_with &&
            h.hash == sb_hash(in.p, in.n))
            while (in.n > 0 && get_answer(&in, k))
                continue;
        free(copy);
    }
    sb_file_close(&f);
}

/* ---- writing ---- */

static void
put(struct sb_out *o, uint64_t v)
{
    sb_out_bytes(o, &v, sizeof v);
}

static void
put_text(struct sb_out *o, struct sb_str s)
{
    put(o, s.p ? s.n + 1 : 0);
    sb_out_str(o, s);
    sb_out_pad(o, '\0', -s.n & 7);
}

static void
put_answer(struct sb_out *o, const struct kept *r)
{
    const struct sb_table *t = &r->table;
    put_text(o, r->name);
    put(o, r->elixir);
    put(o, t->n_columns);
    put(o, t->n_rows);
    for (size_t c = 0; c < t->n_columns; c++) {
        put_text(o, sb_str_of(t->column[c].name));
        put(o, t->column[c].type);
    }
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        if (t->column[i % t->n_columns].type == SB_TEXT)
            put_text(o, t->cell[i].s);
        else
            put(o, (uint64_t)t->cell[i].i);
}

static void
write_file(const struct keep *k, const struct sb_profile *p)
{
    struct sb_out o;
    struct head h = {.magic = MAGIC, .made_with = k->made_with};
    SB_OUT_TO_MEMORY(body);
    for (size_t i = 0; i < k->of.n; i++)
        put_answer(&body, &k->of.at[i]);
    h.hash = sb_hash(body.buf, body.n);
    if (sizeof h + body.n <= MOST_BYTES && sb_out_open(&o, k->path.p, NULL)) {
        sb_out_private_as(&o, sb_profile_path(p));
        sb_out_bytes(&o, &h, sizeof h);
        sb_out_bytes(&o, body.buf, body.n);
        (void)sb_out_close(&o, NULL);
    }
}

/* ---- of an open profile ---- */

static bool
make(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)e;
    struct keep *k = value;
    *k = (struct keep){.made_with = made_with(p), .arena = a};
    pthread_mutex_init(&k->lock, NULL);
    k->path = sb_arena_printf(a, "%s.answers", sb_profile_path(p));
    if (is_of_owner(p, k->path.p, false))
        read_file(k);
    return true;
}

static void
forget(void *value)
{
    struct keep *k = value;
    SB_VEC_FREE(&k->of);
    pthread_mutex_destroy(&k->lock);
}

static struct keep *
keep_of(const struct sb_profile *p)
{
    static const struct sb_derived derived = {sizeof(struct keep), make, forget};
    return sb_keep_is_wanted(p) ? (struct keep *)sb_profile_derive(p, &derived, NULL) : NULL;
}

static const struct sb_column *
described(const struct sb_keep_key *key, const char *name)
{
    for (const struct sb_column *c = key->column; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static bool
fits(const struct sb_table *t, const struct sb_keep_key *key, struct sb_arena *a)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct sb_column *is = described(key, t->column[c].name);
        if (!is || (key->is_exact && (is != &key->column[c] || t->column[c].type != is->type)))
            return false;
    }
    for (size_t i = 0; key->is_exact && i < t->n_rows * t->n_columns; i++)
        if (t->column[i % t->n_columns].type == SB_TEXT &&
            !sb_str_eq(sb_table_printable(a, t->cell[i].s), t->cell[i].s))
            return false;
    return !key->is_exact || !key->column[t->n_columns].name;
}

static const struct kept *
find(const struct keep *k, const struct sb_keep_key *key, struct sb_arena *a)
{
    for (size_t i = 0; i < k->of.n; i++) {
        const struct kept *r = &k->of.at[i];
        if (r->elixir == key->elixir && sb_str_eq(r->name, sb_str_of(key->name)) && fits(&r->table, key, a))
            return r;
    }
    return NULL;
}

static void
copy(const struct sb_table *from, struct sb_table *to, bool with_texts)
{
    size_t n = from->n_rows * from->n_columns;
    struct sb_column *column = SB_NEW_N(to->arena, struct sb_column, from->n_columns);
    memcpy(column, from->column, from->n_columns * sizeof *column);
    to->column = column;
    to->n_columns = from->n_columns;
    sb_table_reserve(to, from->n_rows + 1);
    to->n_rows = from->n_rows;
    if (n > 0)
        memcpy(to->cell, from->cell, n * sizeof *to->cell);
    for (size_t c = 0; with_texts && c < to->n_columns; c++)
        column[c].name = sb_arena_str(to->arena, sb_str_of(column[c].name)).p;
    for (size_t i = 0; with_texts && i < n; i++)
        if (column[i % to->n_columns].type == SB_TEXT && to->cell[i].s.p)
            to->cell[i].s = sb_arena_str(to->arena, to->cell[i].s);
}

bool
sb_keep_find(const struct sb_profile *p, const struct sb_keep_key *key, struct sb_table *t)
{
    struct keep *k = keep_of(p);
    if (!k)
        return false;
    pthread_mutex_lock(&k->lock);
    const struct kept *r = find(k, key, t->arena);
    if (r)
        copy(&r->table, t, false);
    pthread_mutex_unlock(&k->lock);
    return r != NULL;
}

void
sb_keep_put(const struct sb_profile *p, const struct sb_keep_key *key, const struct sb_table *t)
{
    struct keep *k = keep_of(p);
    if (!k || sb_profile_damage(p, NULL))
        return;
    pthread_mutex_lock(&k->lock);
    if (!find(k, key, t->arena)) {
        struct kept r = {sb_arena_str(k->arena, sb_str_of(key->name)), key->elixir, {.arena = k->arena}};
        copy(t, &r.table, true);
        *SB_PUSH(&k->of) = r;
        k->is_new = true;
    }
    pthread_mutex_unlock(&k->lock);
}

void
sb_keep_write(const struct sb_profile *p)
{
    struct keep *k = keep_of(p);
    if (!k)
        return;
    pthread_mutex_lock(&k->lock);
    if (k->is_new && is_of_owner(p, k->path.p, true))
        write_file(k, p);
    k->is_new = false;
    pthread_mutex_unlock(&k->lock);
}
