#include "fprof/rows.h"
#include "trace/term/term_print.h"

/* ---- sums */

static void
add(int64_t *sum, int64_t v)
{
    *sum = (int64_t)((uint64_t)*sum + (uint64_t)v);
}

void
fp_row_add(struct fp_row *sum, const struct fp_row *r)
{
    add(&sum->cnt, r->cnt);
    add(&sum->own, r->own);
    add(&sum->acc, r->acc);
}

struct fp_row
fp_row_of(const struct fp_clock *c)
{
    return (struct fp_row){.id = c->func, .other = c->caller, .cnt = c->cnt, .own = c->own, .acc = c->acc};
}

void
fp_row_sums_add_proc(struct fp_row_sums *s, const struct fp_proc *p)
{
    for (size_t i = 1; i < p->clock.n; i++) {
        if (!p->clock.at[i].touched)
            continue;
        struct fp_row row = fp_row_of(&p->clock.at[i]);
        uint32_t at = sb_map_place(&s->at, (uint64_t)row.other << 32 | row.id, s->row.n);
        if (at == s->row.n)
            *SB_PUSH(&s->row) = row;
        else
            fp_row_add(&s->row.at[at], &row);
    }
}

void
fp_row_sums_close(struct fp_row_sums *s)
{
    SB_VEC_FREE(&s->row);
    sb_map_close(&s->at);
}

/* ---- columns */

enum { WIDTH_OF_FLAT = 79 };

void
fp_rows_init(struct fp_rows *r, struct sb_fprof *f, unsigned cols)
{
    enum { AROUND = 11, FEWEST = AROUND + 12 };
    cols = cols < FEWEST ? FEWEST : cols;
    unsigned w = (cols - AROUND) / 12;
    *r = (struct fp_rows){.profile = f, .width = {cols - AROUND - 5 * w, w, 2 * w, 2 * w - 1}};
    r->name = sb_zeroed_or_die(f->funcs.term.n, sizeof *r->name);
}

void
fp_rows_close(struct fp_rows *r)
{
    free(r->name);
    sb_arena_close(&r->arena);
}

static void
print_name(struct fp_rows *r, const struct sb_etf *t, struct fp_name *name)
{
    SB_OUT_TO_MEMORY(text);
    sb_term_print(&text, t, 1, t->kind == SB_TERM_TUPLE && t->n == 3 ? SB_TERM_PLAIN : SB_TERM_PARSIFY);
    sb_out_char(&text, ',');
    name->text = sb_arena_str(&r->arena, (struct sb_str){text.buf, text.n});
    name->chars = sb_utf8_length(text.buf, text.n);
}

/* A function that fits on a line is printed like its key. */
static const struct fp_name *
name_of(struct fp_rows *r, uint32_t func)
{
    struct fp_name *name = &r->name[func];
    if (name->text.n == 0) {
        const struct sb_etf *t = &r->profile->funcs.term.at[func];
        struct sb_str key = sb_intern_text(&r->profile->funcs.keys, func);
        name->chars = sb_utf8_length(key.p, key.n) + 1;
        if (fp_is_mfa(t) && name->chars < WIDTH_OF_FLAT)
            name->text = sb_arena_printf(&r->arena, "%.*s,", SB_STR_ARG(key));
        else
            print_name(r, t, name);
    }
    return name;
}

static void
put_right(struct fp_rows *r, const char *text, size_t n, unsigned width)
{
    sb_out_pad(r->out, ' ', n < width ? width - n : 0);
    sb_out_bytes(r->out, text, n);
}

static void
put_left(struct fp_rows *r, const char *text, size_t n, size_t chars, unsigned width)
{
    sb_out_bytes(r->out, text, n);
    sb_out_pad(r->out, ' ', chars < width ? width - chars : 0);
}

static void
put_left_z(struct fp_rows *r, const char *text, unsigned width)
{
    put_left(r, text, strlen(text), strlen(text), width);
}

static char * /* writes digits to the left of `end`, at least this many */
put_digits(char *end, uint64_t v, unsigned least)
{
    for (; v > 0 || least > 0; v /= 10, least -= least > 0)
        *--end = (char)('0' + v % 10);
    return end;
}

static char *
put_count(char *end, int64_t n)
{
    char *p = put_digits(end, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, 1);
    if (n < 0)
        *--p = '-';
    return p;
}

/* Writes microseconds as milliseconds with three decimals. fprof multiplies by 0.001, which shows where a
 * double is not exact any more. */
static char *
put_time(char *end, int64_t t, bool nanoseconds)
{
    if (nanoseconds)
        t = (t + (t < 0 ? -500 : 500)) / 1000;
    uint64_t u = t < 0 ? 0 - (uint64_t)t : (uint64_t)t;
    if (u >= 1000000000000000) {
        char text[64];
        size_t n = (size_t)snprintf(text, sizeof text, "%.3f", (double)t * 0.001);
        return memcpy(end - n, text, n);
    }
    char *p = put_digits(end, u % 1000, 3);
    *--p = '.';
    p = put_digits(p, u / 1000, 1);
    if (t < 0)
        *--p = '-';
    return p;
}

static void
put_numbers(struct fp_rows *r, const struct fp_row *row, bool has_acc, const char *tail, const char *comment)
{
    char text[64], *end = text + sizeof text - 1, *p = put_count(end, row->cnt);
    bool ns = r->profile->nanoseconds;
    *end = ',';
    put_right(r, p, (size_t)(end - p) + 1, r->width[1]);
    if (has_acc) {
        p = put_time(end, row->acc, ns);
        put_right(r, p, (size_t)(end - p) + 1, r->width[2]);
    } else {
        put_right(r, "undefined,", 10, r->width[2]);
    }
    p = put_time(end, row->own, ns);
    put_right(r, p, (size_t)(end - p), r->width[3]);
    put_left_z(r, tail, 4);
    put_right(r, comment, strlen(comment), 4);
    sb_out_char(r->out, '\n');
}

void
fp_rows_put(struct fp_rows *r, const char *head, uint32_t func, const struct fp_row *row, const char *tail,
            const char *comment)
{
    const struct fp_name *name = name_of(r, func);
    put_left_z(r, head, 3);
    put_left(r, name->text.p, name->text.n, name->chars, r->width[0]);
    put_numbers(r, row, true, tail, comment);
}

void
fp_rows_put_header(struct fp_rows *r, const char *id, const struct fp_row *row, bool has_acc,
                   const char *tail, const char *comment)
{
    sb_out_z(r->out, "[{ ");
    sb_out_z(r->out, id);
    put_left(r, ",", 1, strlen(id) + 1, r->width[0]);
    put_numbers(r, row, has_acc, tail, comment);
}

void
fp_rows_put_head(struct fp_rows *r)
{
    put_left_z(r, "%  ", 3);
    put_left_z(r, " ", r->width[0]);
    put_right(r, " CNT ", 5, r->width[1]);
    put_right(r, " ACC ", 5, r->width[2]);
    put_right(r, " OWN", 4, r->width[3]);
    put_left_z(r, "", 8);
    sb_out_char(r->out, '\n');
}
