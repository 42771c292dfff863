/*
 * Replacements of SQLite's functions on text whose time is not bounded by the length of their texts. The time
 * limit is checked between the steps of a statement, and a call of a function is one step.
 *
 *     function            SQLite takes                     here
 *     printf, format      one append per character of %c   stops at the longest text
 *     instr, replace      length * length                  length
 *     trim, ltrim, rtrim  length * length of the set       the set is limited like a pattern
 */
#include "base/err.h"
#include "profile/sql/sql_module.h"
#include <string.h>

enum { LONGEST_SPEC = 48 };

struct text {
    const char *p;
    size_t n;
};

static struct text
text_of(sqlite3_value *v)
{
    bool blob = sqlite3_value_type(v) == SQLITE_BLOB;
    const char *p = blob ? sqlite3_value_blob(v) : (const char *)sqlite3_value_text(v);
    return (struct text){p ? p : "", p ? (size_t)sqlite3_value_bytes(v) : 0};
}

static bool
any_null(int argc, sqlite3_value **argv)
{
    for (int i = 0; i < argc; i++)
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL)
            return true;
    return false;
}

/* Makes the text the result, and frees it. */
static void
return_text(sqlite3_context *ctx, sqlite3_str *s)
{
    int rc = sqlite3_str_errcode(s), n = sqlite3_str_length(s);
    char *text = sqlite3_str_finish(s);
    if (rc != SQLITE_OK)
        sqlite3_result_error_code(ctx, rc);
    else
        sqlite3_result_text(ctx, text ? text : "", n, text ? sqlite3_free : SQLITE_STATIC);
    if (rc != SQLITE_OK)
        sqlite3_free(text);
}

/* ---- printf(format, ...) and format(...) ---- */

struct format { /* what is left of the format and of the arguments */
    const char *p;
    sqlite3_value **arg;
    int n_args;
};

struct spec { /* one conversion: %[flags][width][.precision][l]letter */
    char flags[16];
    int width, precision; /* precision < 0: none */
    char letter;
};

static sqlite3_value *
next_arg(struct format *f)
{
    return f->n_args > 0 ? (f->n_args--, *f->arg++) : NULL;
}

static int
bounded(sqlite3_int64 i)
{
    return i > INT32_MAX ? INT32_MAX : i < -INT32_MAX ? -INT32_MAX : (int)i;
}

/* Reads digits, or `*` and the argument that it stands for. */
static int
read_number(struct format *f)
{
    if (*f->p == '*') {
        sqlite3_value *v = next_arg(f);
        f->p++;
        return v ? bounded(sqlite3_value_int64(v)) : 0;
    }
    sqlite3_int64 n = 0;
    for (; *f->p >= '0' && *f->p <= '9'; f->p++)
        n = n > INT32_MAX ? n : n * 10 + (*f->p - '0');
    return bounded(n);
}

static bool
has_flag(const struct spec *s, char flag)
{
    return strchr(s->flags, flag) != NULL;
}

static void
add_flag(struct spec *s, char flag)
{
    size_t n = strlen(s->flags);
    if (!has_flag(s, flag))
        s->flags[n] = flag, s->flags[n + 1] = '\0'; /* 7 flags at most */
}

static struct spec
read_spec(struct format *f)
{
    struct spec s = {.precision = -1};
    for (; *f->p && strchr("-+ #!0,", *f->p); f->p++)
        add_flag(&s, *f->p);
    s.width = read_number(f);
    if (s.width < 0) {
        add_flag(&s, '-');
        s.width = -s.width;
    }
    if (*f->p == '.') {
        f->p++;
        s.precision = read_number(f);
        s.precision = s.precision < 0 ? -s.precision : s.precision;
    }
    while (*f->p == 'l')
        f->p++;
    s.letter = *f->p ? *f->p++ : '\0';
    return s;
}

/* Writes a character `times` times, in the width of the conversion. */
static void
put_character(sqlite3_str *out, const struct spec *s, struct text t, int times)
{
    int pad = s->width > times ? s->width - times : 0;
    if (!has_flag(s, '-'))
        sqlite3_str_appendchar(out, pad, ' ');
    for (int i = 0; i < times && sqlite3_str_errcode(out) == SQLITE_OK; i++)
        sqlite3_str_append(out, t.p, (int)t.n);
    if (has_flag(s, '-'))
        sqlite3_str_appendchar(out, pad, ' ');
}

static size_t
character_bytes(const char *p, size_t n)
{
    size_t i = 1;
    while (i < n && ((unsigned char)p[i] & 0xC0) == 0x80)
        i++;
    return i;
}

/* %c writes the first character of a text as often as the precision says. */
static void
put_first_character(sqlite3_str *out, const struct spec *s, sqlite3_value *v)
{
    struct text t = v ? text_of(v) : (struct text){"", 0};
    t.n = t.n > 0 ? character_bytes(t.p, t.n) : 0;
    put_character(out, s, t, s->precision > 1 ? s->precision : 1);
}

/* Returns false at a letter that SQLite does not know: it ends the text there. */
static bool
put_spec(sqlite3_str *out, const struct spec *s, struct format *f)
{
    char spec[LONGEST_SPEC], precision[16] = "";
    if (s->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", s->precision);
    bool integer = s->letter && strchr("diruxXop", s->letter);
    snprintf(spec, sizeof spec, "%%%s%.0d%s%s%c", s->flags, s->width, precision, integer ? "ll" : "",
             s->letter);
    if (s->letter == '%')
        put_character(out, s, (struct text){"%", 1}, 1);
    else if (s->letter == 'c')
        put_first_character(out, s, next_arg(f));
    else if (integer) {
        sqlite3_value *v = next_arg(f);
        sqlite3_str_appendf(out, spec, v ? sqlite3_value_int64(v) : 0);
    } else if (s->letter && strchr("feEgG", s->letter)) {
        sqlite3_value *v = next_arg(f);
        sqlite3_str_appendf(out, spec, v ? sqlite3_value_double(v) : 0.0);
    } else if (s->letter && strchr("szqQw", s->letter)) {
        sqlite3_value *v = next_arg(f);
        spec[strlen(spec) - 1] = s->letter == 'z' ? 's' : s->letter; /* %z would free the argument */
        sqlite3_str_appendf(out, spec, v ? (const char *)sqlite3_value_text(v) : NULL);
    } else
        return s->letter == 'n';
    return true;
}

static void
format(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    if (argc == 0 || sqlite3_value_type(argv[0]) == SQLITE_NULL)
        return;
    const char *text = (const char *)sqlite3_value_text(argv[0]);
    struct format f = {text ? text : "", argv + 1, argc - 1};
    sqlite3_str *out = sqlite3_str_new(sqlite3_context_db_handle(ctx));
    while (*f.p && sqlite3_str_errcode(out) == SQLITE_OK) {
        size_t n = strcspn(f.p, "%");
        sqlite3_str_append(out, f.p, (int)n);
        f.p += n;
        if (*f.p != '%')
            break;
        f.p++;
        struct spec s = read_spec(&f);
        if (s.letter == '\0')
            sqlite3_str_appendchar(out, 1, '%');
        else if (!put_spec(out, &s, &f))
            break;
    }
    return_text(ctx, out);
}

/* ---- instr(text, part), replace(text, part, by) ---- */

static const char *
find(struct text in, const char *from, struct text part)
{
    return memmem(from, in.n - (size_t)(from - in.p), part.p, part.n);
}

/* Counts bytes in blobs and characters in texts, from 1; 0: not there. */
static void
instr(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    if (any_null(argc, argv))
        return;
    bool bytes = sqlite3_value_type(argv[0]) == SQLITE_BLOB && sqlite3_value_type(argv[1]) == SQLITE_BLOB;
    struct text in = text_of(argv[0]), part = text_of(argv[1]);
    const char *at = part.n > 0 ? find(in, in.p, part) : in.p;
    sqlite3_int64 place = at != NULL;
    for (const char *p = in.p; at && p < at; p++)
        place += bytes || ((unsigned char)p[0] & 0xC0) != 0x80;
    sqlite3_result_int64(ctx, place);
}

static void
replace(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    if (any_null(argc, argv))
        return;
    struct text in = text_of(argv[0]), part = text_of(argv[1]), by = text_of(argv[2]);
    if (part.n == 0) {
        sqlite3_result_value(ctx, argv[0]);
        return;
    }
    sqlite3_str *out = sqlite3_str_new(sqlite3_context_db_handle(ctx));
    const char *from = in.p;
    for (const char *at; sqlite3_str_errcode(out) == SQLITE_OK && (at = find(in, from, part));
         from = at + part.n) {
        sqlite3_str_append(out, from, (int)(at - from));
        sqlite3_str_append(out, by.p, (int)by.n);
    }
    sqlite3_str_append(out, from, (int)(in.n - (size_t)(from - in.p)));
    return_text(ctx, out);
}

/* ---- trim(text, set), ltrim, rtrim ---- */

enum { LEFT = 1, RIGHT = 2 };
static const int left = LEFT, right = RIGHT, both = LEFT | RIGHT;

/* Returns the bytes of the character of `set` that t begins (or ends) with, or 0. */
static size_t
edge(struct text t, struct text set, bool at_end)
{
    for (size_t i = 0, n; i < set.n; i += n) {
        n = character_bytes(set.p + i, set.n - i);
        const char *p = at_end ? t.p + t.n - n : t.p;
        if (n <= t.n && *p == set.p[i] && memcmp(p, set.p + i, n) == 0)
            return n;
    }
    return 0;
}

static void
trim(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    int sides = *(const int *)sqlite3_user_data(ctx);
    if (any_null(argc, argv))
        return;
    struct text t = text_of(argv[0]), set = text_of(argv[1]);
    if (set.n > SB_SQL_LONGEST_PATTERN) {
        sqlite3_result_error(ctx, "trim: the set of characters is longer than 200 bytes", -1);
        return;
    }
    for (size_t n; sides & LEFT && (n = edge(t, set, false)) > 0; t.n -= n)
        t.p += n;
    for (size_t n; sides & RIGHT && (n = edge(t, set, true)) > 0;)
        t.n -= n;
    sqlite3_result_text(ctx, t.p, (int)t.n, SQLITE_TRANSIENT);
}

bool
sb_sql_add_bounded(struct sb_sql *q, struct sb_err *e)
{
    static const struct {
        const char *name;
        int n_args;
        void (*fn)(sqlite3_context *, int, sqlite3_value **);
        const int *sides;
    } row[] = {{"printf", -1, format, NULL},  {"format", -1, format, NULL}, {"instr", 2, instr, NULL},
               {"replace", 3, replace, NULL}, {"trim", 2, trim, &both},     {"ltrim", 2, trim, &left},
               {"rtrim", 2, trim, &right}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (sqlite3_create_function_v2(q->db, row[i].name, row[i].n_args, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                       (void *)(uintptr_t)row[i].sides, row[i].fn, NULL, NULL,
                                       NULL) != SQLITE_OK)
            return sb_err_set(e, SB_ERR_SYSTEM, "SQLite: %s", sqlite3_errmsg(q->db));
    return true;
}
