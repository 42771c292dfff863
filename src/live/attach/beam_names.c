#include "live/attach/beam_names.h"
#include "base/bytes.h"
#include "live/drain/beam_code.h"

enum { ATOMS_MAX = 4096 };

/* Names that a look at a waiting process should show; every VM has them anyway. */
static const struct sb_str kept[] = {{"loop", 4}, {"keep", 4}};
static const struct sb_str local = {"local", 5};

struct names {
    struct sb_str atom[ATOMS_MAX]; /* from 1 */
    uint32_t n;
    bool too_many;
    bool used[ATOMS_MAX], is_local[ATOMS_MAX];
};

static void
add_atom(void *ctx, struct sb_str text)
{
    struct names *x = ctx;
    if (x->n + 1 < ATOMS_MAX)
        x->atom[++x->n] = text;
    else
        x->too_many = true;
}

static bool
read_atoms(struct names *x, struct sb_str chunk)
{
    return sb_beam_read_atoms(chunk, add_atom, x) && x->n > 0 && !x->too_many;
}

static void
use(void *ctx, uint64_t number)
{
    struct names *x = ctx;
    if (number <= x->n)
        x->used[number] = true;
}

static void
mark(struct names *x, struct sb_str name, bool *marks)
{
    for (uint32_t i = 1; i <= x->n; i++)
        if (sb_str_eq(x->atom[i], name))
            marks[i] = true;
}

static void
on_function(void *ctx, const struct sb_beam_code *code)
{
    struct names *x = ctx;
    mark(x, code->name, x->is_local);
}

static void
on_fun(void *ctx, uint32_t index, struct sb_str name, uint32_t arity)
{
    struct names *x = ctx;
    (void)index, (void)arity;
    mark(x, name, x->is_local);
}

/* Tables of numbers: ExpT has {Function, Arity, Label}, ImpT {Module, Function, Arity}. */
static void
use_table(struct names *x, const uint8_t *p, uint32_t bytes, unsigned atoms)
{
    enum { ENTRY = 12 };
    for (uint32_t at = 4; at + ENTRY <= bytes; at += ENTRY)
        for (unsigned i = 0; i < atoms; i++)
            use(x, sb_get_be32(p + at + 4 * i));
}

static void
use_tables(struct names *x, const uint8_t *p, size_t n)
{
    for (size_t at = 12; n - at >= 8;) {
        uint32_t bytes = sb_get_be32(p + at + 4);
        if (bytes > n - at - 8)
            return;
        if (memcmp(p + at, "ExpT", 4) == 0)
            use_table(x, p + at + 8, bytes, 1);
        else if (memcmp(p + at, "ImpT", 4) == 0)
            use_table(x, p + at + 8, bytes, 2);
        size_t step = 8 + ((size_t)bytes + 3) / 4 * 4;
        at = step > n - at ? n : at + step;
    }
}

/* A length below 16 takes half a byte in compact form, others eleven bits; an atom has at most 1,020 bytes. */
static size_t
write_length(uint8_t *to, size_t n, bool is_long)
{
    if (!is_long || n < 16) {
        to[0] = (uint8_t)(is_long ? n << 4 : n);
        return 1;
    }
    to[0] = (uint8_t)((n >> 3 & 0xe0) | 8);
    to[1] = (uint8_t)n;
    return 2;
}

static size_t
write_atoms(uint8_t *to, const struct names *x, bool is_long)
{
    size_t at = 4;
    sb_put_be32(to, is_long ? 0u - x->n : x->n);
    for (uint32_t i = 1; i <= x->n; i++) {
        bool gone = x->is_local[i] && !x->used[i];
        struct sb_str name = gone ? local : x->atom[i];
        at += write_length(to + at, name.n, is_long);
        memcpy(to + at, name.p, name.n);
        at += name.n;
    }
    return at;
}

size_t
sb_beam_names_shorten(uint8_t *to, const uint8_t *module, size_t n, struct sb_str atoms)
{
    struct names x = {.used = {false, true}}; /* the first is the module's name */
    if (!read_atoms(&x, atoms) || !sb_beam_scan_atoms(module, n, use, &x) ||
        !sb_beam_scan(module, n, on_function, on_fun, &x))
        return 0;
    use_tables(&x, module, n);
    for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
        mark(&x, kept[i], x.used);
    return write_atoms(to, &x, sb_beam_has_long_atoms(atoms));
}
