/*
 * Lays a term out on lines. First every part gets its flat text and length (struct node). Then a walk decides
 * which parts stay on a line. It runs up to three times: two trials test the indentation after a tag
 * ({tag, ...}) and the first one that leaves enough room is used; the last walk writes.
 *
 *     tag indent -1: below the first element after the tag    {some_tag,{...},
 *                                                                        [...]}
 *     tag indent  4: four columns in, if that is too far right;  1: if even 4 is
 */
#include "trace/term/term_print.h"

enum { LINE = 80, HALF = LINE / 2 };

enum shape { TEXT, LIST, TUPLE, TAGGED, MAP, BITS };

struct node {
    enum shape shape;
    bool improper;       /* LIST: at[n] is its tail */
    uint32_t n;          /* parts; each key and each value of a MAP counts */
    int64_t len;         /* length of the flat text in characters */
    size_t text, text_n; /* TEXT: place in the scratch text */
    struct node *at;
    const struct sb_etf *term; /* BITS */
};

struct layout {
    struct sb_out *out;
    struct sb_out scratch; /* the texts of all TEXT nodes */
    struct sb_arena arena;
    int64_t total; /* length of the whole flat term */
    int tag_indent;
    bool trial; /* nothing is written; `bad` is the result */
    bool bad;
};

/* The place of a part: its column, the indentation of its further lines, the brackets that close after it,
 * and the characters before it on this line that count against `total`. */
struct place {
    int64_t col, indent, closing, used;
};

static void place(struct layout *l, const struct node *n, struct place at);

/* ---- nodes */

static void
text_node(struct layout *l, struct node *n, size_t start)
{
    n->shape = TEXT;
    n->text = start;
    n->text_n = l->scratch.n - start;
    n->len = (int64_t)sb_utf8_length(l->scratch.buf + start, n->text_n);
}

static void make_node(struct layout *l, struct node *n, const struct sb_etf *t, unsigned depth);

static void
make_parts(struct layout *l, struct node *n, const struct sb_etf *t, unsigned depth)
{
    bool map = t->kind == SB_TERM_MAP;
    n->n = map ? 2 * t->n : t->n;
    n->improper = t->kind == SB_TERM_LIST && t->at[t->n].kind != SB_TERM_NIL;
    uint32_t parts = n->n + n->improper;
    n->at = SB_NEW_N(&l->arena, struct node, parts);
    n->len = map ? 3 : 2;
    for (uint32_t i = 0; i < parts; i++) {
        make_node(l, &n->at[i], &t->at[i], depth + 1);
        n->len += n->at[i].len + (map && i % 2 ? 4 : i > 0); /* " => " or "," */
    }
    bool tagged = t->kind == SB_TERM_TUPLE && t->n > 1 && t->at[0].kind == SB_TERM_ATOM;
    n->shape = map ? MAP : t->kind == SB_TERM_LIST ? LIST : tagged ? TAGGED : TUPLE;
}

static void
make_node(struct layout *l, struct node *n, const struct sb_etf *t, unsigned depth)
{
    size_t start = l->scratch.n;
    bool parts = (t->kind == SB_TERM_LIST || t->kind == SB_TERM_TUPLE || t->kind == SB_TERM_MAP) && t->n > 0;
    if (sb_term_is_text(t)) {
        sb_term_put_text(&l->scratch, t);
    } else if (parts && depth < SB_TERM_PRINT_DEPTH) {
        make_parts(l, n, t, depth);
        return;
    } else if (parts) {
        sb_out_z(&l->scratch, "...");
    } else {
        sb_term_put_atomic(&l->scratch, t);
    }
    text_node(l, n, start);
    if (t->kind == SB_TERM_BITS && t->n > 0 && sb_term_bits_text(t) == SB_BITS_NUMBERS) {
        n->shape = BITS;
        n->term = t;
    }
}

/* ---- writing */

static void
put(struct layout *l, const char *z)
{
    if (!l->trial)
        sb_out_z(l->out, z);
}

static void
put_line_end(struct layout *l, int64_t indent)
{
    if (l->trial)
        return;
    sb_out_char(l->out, '\n');
    sb_out_pad(l->out, ' ', (size_t)indent);
}

static void
put_flat(struct layout *l, const struct node *n)
{
    static const char *const before[] = {[LIST] = "[", [TUPLE] = "{", [TAGGED] = "{", [MAP] = "#{"};
    if (l->trial)
        return;
    if (n->shape == TEXT || n->shape == BITS) {
        sb_out_bytes(l->out, l->scratch.buf + n->text, n->text_n);
        return;
    }
    sb_out_z(l->out, before[n->shape]);
    for (uint32_t i = 0; i < n->n + n->improper; i++) {
        if (i > 0)
            sb_out_z(l->out, n->shape == MAP && i % 2 ? " => " : i == n->n ? "|" : ",");
        put_flat(l, &n->at[i]);
    }
    sb_out_z(l->out, n->shape == LIST ? "]" : "}");
}

static bool
fits(const struct layout *l, int64_t len, struct place at)
{
    return len < LINE - at.col - at.closing && len + at.used + at.closing <= l->total;
}

/* Returns whether a part and its separator fit on the rest of the line. */
static bool
fits_behind(const struct layout *l, int64_t len, struct place at)
{
    int64_t closing = at.closing ? at.closing : 1;
    return len + (at.closing ? 0 : 1) < LINE - at.col - at.closing && at.used + len + closing <= l->total;
}

/* ---- lists and tuples */

static int64_t /* returns the columns taken; a whole line when more than text was placed, so that the next
                  part starts a line */
place_element(struct layout *l, const struct node *n, struct place at)
{
    if (n->shape == TEXT && fits(l, n->len, at)) {
        put_flat(l, n);
        return n->len;
    }
    place(l, n, at);
    return LINE;
}

static void
place_improper_tail(struct layout *l, const struct node *tail, int64_t first_col, struct place at)
{
    struct place behind = at;
    behind.closing++;
    put(l, "|");
    if (tail->shape == TEXT && fits(l, tail->len + 1, behind)) {
        put_flat(l, tail);
        return;
    }
    put_line_end(l, at.indent);
    behind.col = l->trial ? at.col : first_col;
    behind.used = 0;
    place(l, tail, behind);
}

/* Places the elements from `i`, after others that end at at.col; elements that start a line do so at
 * first_col. */
static void
place_rest(struct layout *l, const struct node *n, uint32_t i, int64_t first_col, struct place at)
{
    for (; i < n->n && !l->bad; i++) {
        const struct node *e = &n->at[i];
        struct place next = at;
        next.closing = i + 1 < n->n ? 0 : at.closing + 1;
        put(l, ",");
        if (e->shape == TEXT && fits_behind(l, e->len + 1, next)) {
            put_flat(l, e);
            at.col += e->len + 1;
            at.used += e->len + 1;
            continue;
        }
        put_line_end(l, at.indent);
        next.col = first_col;
        next.used = 0;
        at.used = place_element(l, e, next);
        at.col = first_col + at.used;
    }
    if (n->improper && !l->bad)
        place_improper_tail(l, &n->at[n->n], first_col, at);
}

static void
place_elements(struct layout *l, const struct node *n, uint32_t i, struct place at)
{
    struct place first = at;
    first.closing = i + 1 < n->n ? 0 : at.closing + 1;
    int64_t width = place_element(l, &n->at[i], first);
    struct place rest = at;
    rest.col += width;
    rest.used += width;
    place_rest(l, n, i + 1, at.col, rest);
}

static void
place_tagged(struct layout *l, const struct node *n, struct place at)
{
    int64_t tag = n->at[0].len, behind = at.col + tag + 2;
    bool below = l->tag_indent > 0 && tag + 2 > l->tag_indent;
    int64_t first = below ? at.col + l->tag_indent : behind;
    if (l->trial && (below ? l->total + first > LINE : l->total + first >= LINE) &&
        (below ? first > HALF : first >= HALF)) {
        l->bad = true;
        return;
    }
    put_flat(l, &n->at[0]);
    at.indent += first - at.col;
    at.used += tag;
    if (below) {
        at.col = behind;
        place_rest(l, n, 1, first, at);
        return;
    }
    put(l, ",");
    at.col = behind;
    at.used++;
    place_elements(l, n, 1, at);
}

/* ---- maps */

static bool
pair_of_texts(const struct node *key)
{
    return key[0].shape == TEXT && key[1].shape == TEXT;
}

static int64_t
pair_len(const struct node *key)
{
    return key[0].len + 4 + key[1].len;
}

static void
put_pair(struct layout *l, const struct node *key)
{
    put_flat(l, &key[0]);
    put(l, " => ");
    put_flat(l, &key[1]);
}

static int64_t
place_pair(struct layout *l, const struct node *key, struct place at)
{
    if (fits(l, pair_len(key), at)) {
        put_pair(l, key);
        return pair_of_texts(key) ? pair_len(key) : LINE;
    }
    int in = l->tag_indent > 0 ? l->tag_indent : 4;
    place(l, &key[0], at);
    at.col += in;
    at.indent += in;
    at.used = 0;
    put(l, " =>");
    put_line_end(l, at.indent);
    place(l, &key[1], at);
    return LINE;
}

static void
place_pairs(struct layout *l, const struct node *n, struct place at)
{
    int64_t first_col = at.col;
    struct place next = at;
    next.closing = n->n > 2 ? 0 : at.closing + 1;
    int64_t width = place_pair(l, &n->at[0], next);
    at.used = l->trial ? at.used + width : width;
    at.col += width;
    for (uint32_t i = 2; i < n->n && !l->bad; i += 2) {
        const struct node *key = &n->at[i];
        int64_t len = pair_len(key) + 1;
        next = at;
        next.closing = i + 2 < n->n ? 0 : at.closing + 1;
        put(l, ",");
        if (pair_of_texts(key) && fits_behind(l, len, next)) {
            put_pair(l, key);
            at.col += len;
            at.used += len;
            continue;
        }
        put_line_end(l, at.indent);
        next.col = first_col;
        next.used = 0;
        at.used = place_pair(l, key, next);
        at.col = first_col + at.used;
    }
}

/* ---- binaries: numbers, as many on a line as fit */

static void
place_bits(struct layout *l, const struct node *n, struct place at)
{
    if (l->trial)
        return;
    int64_t room = LINE - at.col, by_total = l->total - 4 - at.used;
    room = (room < by_total ? room : by_total) - at.closing;
    room = room < 8 ? 8 : room;
    int64_t left = room;
    const struct sb_etf *t = n->term;
    sb_out_z(l->out, "<<");
    for (uint32_t i = 0; i < t->n; i++) {
        char text[16];
        bool last = i + 1 == t->n, partial = last && t->bits < 8;
        unsigned value = partial ? t->bytes[i] >> (8 - t->bits) : t->bytes[i];
        int len = snprintf(text, sizeof text, partial ? "%u:%u" : last ? "%u" : "%u,", value, t->bits);
        if (len > left) {
            put_line_end(l, at.indent);
            left = room;
        }
        left -= len;
        sb_out_bytes(l->out, text, (size_t)len);
    }
    sb_out_z(l->out, ">>");
}

static void
place(struct layout *l, const struct node *n, struct place at)
{
    if (l->bad)
        return;
    if (n->shape == TEXT || fits(l, n->len, at)) {
        put_flat(l, n);
        return;
    }
    struct place in = {at.col + 1, at.indent + 1, at.closing, at.used + 1};
    switch (n->shape) {
    case LIST:
        put(l, "[");
        place_elements(l, n, 0, in);
        put(l, "]");
        break;
    case TUPLE:
        put(l, "{");
        place_elements(l, n, 0, in);
        put(l, "}");
        break;
    case TAGGED:
        put(l, "{");
        in.col--;
        in.indent--;
        place_tagged(l, n, in);
        put(l, "}");
        break;
    case MAP:
        put(l, "#{");
        in.col++;
        in.indent++;
        in.used += l->trial;
        place_pairs(l, n, in);
        put(l, "}");
        break;
    default:
        place_bits(l, n, (struct place){at.col + 2, at.indent + 2, at.closing, at.used});
    }
}

/* ---- a whole term */

static void
lay_out(struct layout *l, const struct node *n, unsigned column)
{
    static const int indents[] = {-1, 4};
    struct place at = {column, column - 1, 0, 0};
    l->tag_indent = 1;
    l->trial = true;
    for (size_t i = 0; i < sizeof indents / sizeof *indents; i++) {
        struct layout trial = *l;
        trial.tag_indent = indents[i];
        place(&trial, n, at);
        if (!trial.bad) {
            l->tag_indent = indents[i];
            break;
        }
    }
    l->trial = false;
    place(l, n, at);
}

static void
print(struct sb_out *o, const struct sb_etf *t, unsigned column, enum sb_term_style style, bool flat)
{
    struct layout l = {.out = o};
    struct node root = {0};
    sb_out_to_memory(&l.scratch);
    struct sb_etf term = style == SB_TERM_PARSIFY ? sb_term_parsify(&l.arena, t) : *t;
    make_node(&l, &root, &term, 0);
    l.total = root.len;
    column = column ? column : 1;
    if (flat || root.len < LINE - (int64_t)column)
        put_flat(&l, &root);
    else
        lay_out(&l, &root, column);
    sb_out_abandon(&l.scratch);
    sb_arena_close(&l.arena);
}

void
sb_term_print(struct sb_out *o, const struct sb_etf *t, unsigned column, enum sb_term_style style)
{
    print(o, t, column, style, false);
}

void
sb_term_print_flat(struct sb_out *o, const struct sb_etf *t, enum sb_term_style style)
{
    print(o, t, 1, style, true);
}
