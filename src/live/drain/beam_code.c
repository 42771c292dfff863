/*
 * A .beam file is "FOR1" size "BEAM", then chunks: name, size, bytes, padding to 4. Chunk "AtU8" has the
 * atoms, chunk "Code" the instructions: a byte of opcode, then operands in compact form. The number of
 * operands of an opcode never changes. An opcode that is newer than those below ends the scan. Chunk "Line" has the
 * lines that `line` instructions name by number, from 1, and then the names of the files.
 */
#include "live/drain/beam_code.h"
#include "base/bytes.h"
#include "base/vec.h"

enum { OP_FUNC_INFO = 2, OP_WAIT = 25, OP_WAIT_TIMEOUT = 26, OP_LINE = 153 };
static const char operands[] = /* by opcode, from 1: OTP 29 */
    "1302322324523232110000211244444444444333333322222222222223331212"
    "3333321101132225554211225552101224444312111263512235777532256222"
    "213408626545454333330117155233400222343224312111630153246243635";

struct cursor {
    const uint8_t *p, *end;
    bool bad;
};

static unsigned
byte(struct cursor *c)
{
    if (c->p < c->end)
        return *c->p++;
    c->bad = true;
    return 0;
}

static void
skip(struct cursor *c, uint64_t n)
{
    if (n > (uint64_t)(c->end - c->p))
        c->bad = true;
    else
        c->p += n;
}

static uint64_t compact(struct cursor *c, unsigned *tag);

/* Reads a value of more than eleven bits: its length, then its bytes, big-endian. Values beyond 64 bits
 * are skipped. */
static uint64_t
long_value(struct cursor *c, unsigned first)
{
    unsigned tag, n = first >> 5;
    uint64_t bytes = n < 7 ? n + 2 : compact(c, &tag) + 9, v = 0;
    if (bytes > 8) {
        skip(c, bytes);
        return UINT64_MAX;
    }
    while (bytes-- > 0)
        v = v << 8 | byte(c);
    return v;
}

/* Reads the tag and value of an operand. For the extended kinds (tag 7) the value is the kind. */
static uint64_t
compact(struct cursor *c, unsigned *tag)
{
    unsigned b = byte(c);
    *tag = b & 7;
    if (*tag == 7 || !(b & 8))
        return b >> 4;
    if (!(b & 16))
        return (uint64_t)(b & 0xe0) << 3 | byte(c);
    return long_value(c, b);
}

/* Skips a value of at most eleven bits that is not extended, which most operands are: registers, labels and numbers.
 * Returns false for others. */
static inline bool
skip_short(struct cursor *c)
{
    unsigned first = c->p < c->end ? *c->p : 7, bytes = first & 8 ? 2 : 1;
    if ((first & 7) == 7 || (first & 24) == 24 || bytes > c->end - c->p)
        return false;
    c->p += bytes;
    return true;
}

static void
skip_values(struct cursor *c, uint64_t n)
{
    unsigned ignored;
    for (; n > 0 && !c->bad; n--)
        if (!skip_short(c))
            compact(c, &ignored);
}

/* Skips an operand. Lists do not nest, so no recursion is needed beyond their plain items: a literal, a float or a
 * typed register. */
static void
skip_operand(struct cursor *c)
{
    enum { LIST = 1, FLOAT_REGISTER, ALLOCATION, LITERAL, TYPED_REGISTER };
    unsigned tag, ignored;
    if (skip_short(c))
        return;
    uint64_t v = compact(c, &tag), items = 0;
    if (tag != 7)
        return;
    if (v == LIST)
        items = compact(c, &ignored);
    else
        skip_values(c, v == ALLOCATION ? compact(c, &ignored) * 2 : v == TYPED_REGISTER ? 2 : 1);
    for (; items > 0 && !c->bad; items--) {
        if (skip_short(c))
            continue;
        v = compact(c, &tag);
        if (tag == 7)
            skip_values(c, v == TYPED_REGISTER ? 2 : 1);
    }
}

static void
skip_operands(struct cursor *c, int n)
{
    for (; n > 0; n--)
        if (!skip_short(c))
            skip_operand(c);
}

/* As skip_operand, with the atoms: tag 2, and 0 for the empty list. Lists may hold atoms. */
static void
visit_operand(struct cursor *c, sb_beam_atom *on_atom, void *ctx)
{
    enum { ATOM = 2, EXTENDED = 7, LIST = 1 };
    struct cursor at = *c;
    unsigned tag;
    uint64_t v = compact(&at, &tag);
    if (tag == EXTENDED && v == LIST) {
        *c = at;
        for (uint64_t items = compact(c, &tag); items > 0 && !c->bad; items--)
            visit_operand(c, on_atom, ctx);
        return;
    }
    if (tag == ATOM && v > 0)
        on_atom(ctx, v);
    skip_operand(c);
}

struct line {
    uint32_t file; /* 0: of the name of the module */
    uint32_t number;
};
struct scan {
    struct cursor code;
    struct cursor funs; /* after their number */
    SB_VEC(struct sb_str) atom;
    SB_VEC(struct line) line;
    SB_VEC(struct sb_str) file; /* from 1 */
    struct sb_beam_code of;     /* the function */
    uint64_t at_line;           /* of the last `line` */
    bool open;
};

bool
sb_beam_has_long_atoms(struct sb_str chunk)
{
    return chunk.n >= 4 && (int32_t)sb_get_be32((const uint8_t *)chunk.p) < 0;
}

/* Their number, then the length and the bytes of each. From OTP 28 on the number is negative. */
bool
sb_beam_read_atoms(struct sb_str chunk, sb_beam_text *on_text, void *ctx)
{
    const uint8_t *p = (const uint8_t *)chunk.p;
    bool is_long = sb_beam_has_long_atoms(chunk);
    unsigned tag;
    if (chunk.n < 4)
        return false;
    struct cursor c = {p + 4, p + chunk.n, false};
    uint32_t left = is_long ? 0u - sb_get_be32(p) : sb_get_be32(p);
    for (; left > 0 && !c.bad; left--) {
        struct sb_str text = {.n = is_long ? compact(&c, &tag) : byte(&c)};
        text.p = (const char *)c.p;
        skip(&c, text.n);
        if (!c.bad)
            on_text(ctx, text);
    }
    return !c.bad;
}

static void
add_atom(void *ctx, struct sb_str text)
{
    struct scan *s = ctx;
    *SB_PUSH(&s->atom) = text;
}

static struct sb_str
atom(const struct scan *s, uint64_t number)
{
    return number > 0 && number <= s->atom.n ? s->atom.at[number - 1] : (struct sb_str){0};
}

static void
end_function(struct scan *s, sb_beam_function *on_function, void *ctx)
{
    if (s->open && s->of.name.n > 0)
        on_function(ctx, &s->of);
    s->open = false;
}

/* The line of a function stands before its head. */
static void
begin_function(struct scan *s)
{
    unsigned tag;
    compact(&s->code, &tag);
    s->of = (struct sb_beam_code){.name = atom(s, compact(&s->code, &tag))};
    s->of.arity = (uint32_t)compact(&s->code, &tag);
    s->open = true;
    if (s->at_line == 0 || s->at_line > s->line.n)
        return;
    struct line l = s->line.at[s->at_line - 1];
    s->of.line = l.number;
    s->of.file = l.file > 0 && l.file <= s->file.n ? s->file.at[l.file - 1] : (struct sb_str){0};
}

static bool
instructions(struct scan *s, sb_beam_function *on_function, void *ctx)
{
    while (s->code.p < s->code.end && !s->code.bad) {
        unsigned op = byte(&s->code), tag;
        if (op == 0 || op >= sizeof operands)
            return false;
        if (op == OP_FUNC_INFO) {
            end_function(s, on_function, ctx);
            begin_function(s);
            continue;
        }
        if (op == OP_LINE) {
            s->at_line = compact(&s->code, &tag);
            continue;
        }
        s->of.waits |= op == OP_WAIT || op == OP_WAIT_TIMEOUT;
        skip_operands(&s->code, operands[op - 1] - '0');
    }
    end_function(s, on_function, ctx);
    return !s->code.bad;
}

/* After five numbers: a line, tag 1, or the file of those that follow, tag 2. A file is a length and its bytes. */
static void
read_lines(struct scan *s, const uint8_t *p, uint32_t n)
{
    enum { HEAD = 20, LINE = 1, FILE = 2 };
    if (n < HEAD)
        return;
    struct cursor c = {p + HEAD, p + n, false};
    struct line l = {0};
    uint32_t lines = sb_get_be32(p + 12), files = sb_get_be32(p + 16);
    while (s->line.n < lines && !c.bad) {
        unsigned tag;
        uint64_t v = compact(&c, &tag);
        l.file = tag == FILE ? (uint32_t)v : l.file;
        l.number = (uint32_t)v;
        if (tag == LINE)
            *SB_PUSH(&s->line) = l;
    }
    for (; files > 0 && !c.bad; files--) {
        struct sb_str name = {.n = byte(&c) << 8};
        name.n |= byte(&c);
        name.p = (const char *)c.p;
        skip(&c, name.n);
        *SB_PUSH(&s->file) = c.bad ? (struct sb_str){0} : name;
    }
}

static bool
take_chunk(struct scan *s, const uint8_t *name, const uint8_t *p, uint32_t n)
{
    if (memcmp(name, "AtU8", 4) == 0) {
        s->atom.n = 0;
        sb_beam_read_atoms((struct sb_str){(const char *)p, n}, add_atom, s);
    } else if (memcmp(name, "FunT", 4) == 0 && n >= 4)
        s->funs = (struct cursor){p + 4, p + n, false};
    else if (memcmp(name, "Line", 4) == 0)
        read_lines(s, p, n);
    else if (memcmp(name, "Code", 4) == 0 && n >= 4) {
        uint32_t head = sb_get_be32(p);
        if (head > n - 4)
            return false;
        s->code = (struct cursor){p + 4 + head, p + n, false};
    }
    return true;
}

/* Reads the table of funs: six numbers each, of which atom, arity and (fourth) index are used. */
static void
funs(const struct scan *s, sb_beam_fun *on_function, void *ctx)
{
    enum { ENTRY = 24 };
    for (const uint8_t *p = s->funs.p; p && s->funs.end - p >= ENTRY; p += ENTRY)
        on_function(ctx, sb_get_be32(p + 12), atom(s, sb_get_be32(p)), sb_get_be32(p + 4));
}

static bool
take_chunks(struct scan *s, const uint8_t *p, size_t n)
{
    if (n < 12 || memcmp(p, "FOR1", 4) != 0 || memcmp(p + 8, "BEAM", 4) != 0)
        return false;
    for (size_t at = 12; n - at >= 8;) {
        uint32_t bytes = sb_get_be32(p + at + 4);
        if (bytes > n - at - 8 || !take_chunk(s, p + at, p + at + 8, bytes))
            return false;
        size_t step = 8 + ((size_t)bytes + 3) / 4 * 4;
        if (step > n - at)
            break;
        at += step;
    }
    return s->atom.n > 0 && s->code.p;
}

static void
close_scan(struct scan *s)
{
    SB_VEC_FREE(&s->atom);
    SB_VEC_FREE(&s->line);
    SB_VEC_FREE(&s->file);
}

bool
sb_beam_scan(const uint8_t *p, size_t n, sb_beam_function *on_function, sb_beam_fun *on_fun, void *ctx)
{
    struct scan s = {0};
    bool ok = take_chunks(&s, p, n);
    if (ok) {
        funs(&s, on_fun, ctx);
        ok = instructions(&s, on_function, ctx);
    }
    close_scan(&s);
    return ok;
}

bool
sb_beam_scan_atoms(const uint8_t *p, size_t n, sb_beam_atom *on_atom, void *ctx)
{
    struct scan s = {0};
    bool ok = take_chunks(&s, p, n);
    while (ok && s.code.p < s.code.end) {
        unsigned op = byte(&s.code);
        ok = op > 0 && op < sizeof operands;
        for (int k = ok ? operands[op - 1] - '0' : 0; k > 0; k--)
            if (op == OP_FUNC_INFO)
                skip_operand(&s.code);
            else
                visit_operand(&s.code, on_atom, ctx);
        ok = ok && !s.code.bad;
    }
    close_scan(&s);
    return ok;
}
