/*
 * Erlang's term order:
 *     number < atom < reference < fun < port < pid < tuple < map < [] < list < bit string
 * The comparison keeps a stack of pairs on the heap and compares pair by pair until one differs.
 */
#include "trace/term/etf.h"
#include "base/order.h"
#include "base/vec.h"

struct pair {
    const struct sb_etf *a, *b;
};
struct comparer {
    bool exact; /* map key order: integers before floats */
    SB_VEC(struct pair) todo;
    struct sb_arena sorted; /* copies of large maps */
};

static int
cmp_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int
cmp_str(struct sb_str a, struct sb_str b)
{
    return sb_str_cmp(a, b);
}

static int
class_of(const struct sb_etf *t)
{
    switch (t->kind) {
    case SB_TERM_INT:
    case SB_TERM_BIG:
        return SB_TERM_INT;
    case SB_TERM_EXPORT:
        return SB_TERM_FUN;
    default:
        return t->kind;
    }
}

static double
to_double(const struct sb_etf *t)
{
    if (t->kind == SB_TERM_INT)
        return (double)t->i;
    if (t->kind == SB_TERM_FLOAT)
        return t->f;
    double f = 0;
    for (uint32_t i = t->n; i > 0; i--)
        f = f * 256 + t->bytes[i - 1];
    return t->bits ? -f : f;
}

static int
cmp_big(const struct sb_etf *a, const struct sb_etf *b)
{
    if (a->bits != b->bits)
        return a->bits ? -1 : 1;
    int c = cmp_u64(a->n, b->n);
    for (uint32_t i = a->n; c == 0 && i > 0; i--)
        c = cmp_u64(a->bytes[i - 1], b->bytes[i - 1]);
    return a->bits ? -c : c;
}

static int
cmp_number(const struct sb_etf *a, const struct sb_etf *b)
{
    if (a->kind == SB_TERM_INT && b->kind == SB_TERM_INT)
        return SB_UP(i);
    if (a->kind == SB_TERM_BIG && b->kind == SB_TERM_BIG)
        return cmp_big(a, b);
    if (a->kind == SB_TERM_BIG && b->kind == SB_TERM_INT)
        return a->bits ? -1 : 1;
    if (a->kind == SB_TERM_INT && b->kind == SB_TERM_BIG)
        return b->bits ? 1 : -1;
    double x = to_double(a), y = to_double(b);
    return (x > y) - (x < y);
}

static int
cmp_id(const struct sb_etf *a, const struct sb_etf *b)
{
    int c = 0;
    if (a->kind == SB_TERM_REF) {
        c = cmp_str(a->id->node, b->id->node);
        c = c ? c : cmp_u64(a->id->creation, b->id->creation);
        for (uint32_t i = 5; c == 0 && i > 0; i--)
            c = cmp_u64(i <= a->n ? a->id->word[i - 1] : 0, i <= b->n ? b->id->word[i - 1] : 0);
        return c;
    }
    c = cmp_u64(a->id->serial, b->id->serial);
    c = c ? c : cmp_u64(a->id->number, b->id->number);
    c = c ? c : cmp_str(a->id->node, b->id->node);
    return c ? c : cmp_u64(a->id->creation, b->id->creation);
}

static int
cmp_bits(const struct sb_etf *a, const struct sb_etf *b)
{
    uint32_t n = a->n < b->n ? a->n : b->n;
    int c = n > 1 ? memcmp(a->bytes, b->bytes, n - 1) : 0; /* the last byte may be partly used */
    if (c || n == 0)
        return c ? c : cmp_u64(a->n, b->n);
    unsigned bits_a = a->n == n ? a->bits : 8, bits_b = b->n == n ? b->bits : 8;
    unsigned bits = bits_a < bits_b ? bits_a : bits_b;
    c = cmp_u64(a->bytes[n - 1] >> (8 - bits), b->bytes[n - 1] >> (8 - bits));
    return c ? c : cmp_u64(a->n * 8ull + a->bits, b->n * 8ull + b->bits);
}

static void
later(struct comparer *c, const struct sb_etf *a, const struct sb_etf *b)
{
    *SB_PUSH(&c->todo) = (struct pair){a, b};
}

static void
later_all(struct comparer *c, const struct sb_etf *a, const struct sb_etf *b, uint32_t n)
{
    for (uint32_t i = n; i > 0; i--)
        later(c, &a[i - 1], &b[i - 1]);
}

/* Compares lists element by element. When one ends, its tail is compared with the rest of the other. */
static int
cmp_list(struct comparer *c, const struct sb_etf *a, const struct sb_etf *b)
{
    uint32_t n = a->n < b->n ? a->n : b->n;
    if (a->n == b->n)
        later(c, &a->at[n], &b->at[n]);
    else { /* [] is smaller than a list; any other tail but a bit string is smaller too */
        const struct sb_etf *tail = a->n < b->n ? &a->at[n] : &b->at[n];
        int sign = a->n < b->n ? 1 : -1;
        static const struct sb_etf smallest = {.kind = SB_TERM_INT}, largest = {.kind = SB_TERM_BITS};
        bool above = tail->kind == SB_TERM_BITS;
        later(c, (sign > 0) == above ? &largest : &smallest, (sign > 0) == above ? &smallest : &largest);
    }
    later_all(c, a->at, b->at, n);
    return 0;
}

static const struct sb_etf *
in_key_order(struct comparer *c, const struct sb_etf *map)
{
    if (map->n <= SB_ETF_SORTED_MAP)
        return map->at;
    struct sb_etf *at = SB_NEW_N(&c->sorted, struct sb_etf, 2 * (size_t)map->n);
    memcpy(at, map->at, 2 * (size_t)map->n * sizeof *at);
    sb_etf_sort_pairs(&c->sorted, at, map->n);
    return at;
}

static int
cmp_map(struct comparer *c, const struct sb_etf *map_a, const struct sb_etf *map_b)
{
    if (map_a->n != map_b->n)
        return cmp_u64(map_a->n, map_b->n);
    const struct sb_etf *a = in_key_order(c, map_a), *b = in_key_order(c, map_b);
    for (uint32_t i = map_a->n; i > 0; i--) /* all keys are compared before all values */
        later(c, &a[2 * i - 1], &b[2 * i - 1]);
    for (uint32_t i = map_a->n; i > 0; i--)
        later(c, &a[2 * i - 2], &b[2 * i - 2]);
    return 0;
}

static int
cmp_fun(struct comparer *c, const struct sb_etf *a, const struct sb_etf *b)
{
    if (a->kind != b->kind)
        return a->kind == SB_TERM_FUN ? -1 : 1;
    if (a->kind == SB_TERM_FUN && a->n != b->n)
        later_all(c, a->at, b->at, 3);
    else
        later_all(c, a->at, b->at, a->n);
    return 0;
}

/* Compares two terms, or pushes the parts that decide. */
static int
step(struct comparer *c, const struct sb_etf *a, const struct sb_etf *b)
{
    int kind_a = class_of(a), kind_b = class_of(b);
    bool numbers = kind_a <= SB_TERM_FLOAT && kind_b <= SB_TERM_FLOAT;
    if (kind_a != kind_b && (!numbers || c->exact))
        return kind_a < kind_b ? -1 : 1;
    switch (a->kind) {
    case SB_TERM_ATOM:
        return cmp_str(sb_etf_atom_text(a), sb_etf_atom_text(b));
    case SB_TERM_REF:
    case SB_TERM_PORT:
    case SB_TERM_PID:
        return cmp_id(a, b);
    case SB_TERM_FUN:
    case SB_TERM_EXPORT:
        return cmp_fun(c, a, b);
    case SB_TERM_TUPLE:
        if (a->n != b->n)
            return cmp_u64(a->n, b->n);
        later_all(c, a->at, b->at, a->n);
        return 0;
    case SB_TERM_MAP:
        return cmp_map(c, a, b);
    case SB_TERM_NIL:
        return 0;
    case SB_TERM_LIST:
        return cmp_list(c, a, b);
    case SB_TERM_BITS:
        return cmp_bits(a, b);
    default:
        return cmp_number(a, b);
    }
}

static int
compare(const struct sb_etf *a, const struct sb_etf *b, bool exact)
{
    struct comparer c = {.exact = exact};
    int result = step(&c, a, b);
    while (result == 0 && c.todo.n > 0) {
        struct pair p = c.todo.at[--c.todo.n];
        result = step(&c, p.a, p.b);
    }
    SB_VEC_FREE(&c.todo);
    sb_arena_close(&c.sorted);
    return result;
}

int
sb_etf_cmp(const struct sb_etf *a, const struct sb_etf *b)
{
    return compare(a, b, false);
}

int
sb_etf_cmp_exact(const struct sb_etf *a, const struct sb_etf *b)
{
    return compare(a, b, true);
}

struct pair_order {
    const struct sb_etf *key, *value;
};

SB_ORDER(by_key, struct pair_order, sb_etf_cmp_exact(a->key, b->key))

bool
sb_etf_sort_pairs(struct sb_arena *a, struct sb_etf *at, uint32_t pairs)
{
    struct pair_order *order = sb_realloc_or_die(NULL, sb_mul_or_die(pairs, sizeof *order));
    for (uint32_t i = 0; i < pairs; i++)
        order[i] = (struct pair_order){&at[2 * i], &at[2 * i + 1]};
    qsort(order, pairs, sizeof *order, by_key);
    struct sb_etf *sorted = SB_NEW_N(a, struct sb_etf, 2 * (size_t)pairs);
    bool fine = true;
    for (uint32_t i = 0; i < pairs; i++) {
        fine = fine && (i == 0 || by_key(&order[i - 1], &order[i]) != 0);
        sorted[2 * i] = *order[i].key;
        sorted[2 * i + 1] = *order[i].value;
    }
    memcpy(at, sorted, 2 * (size_t)pairs * sizeof *at);
    free(order);
    return fine;
}
