#include "filter_machine.h"
#include <math.h>

struct number {
    enum kind kind; /* TERM: no number */
    int64_t i;
    double d;
    struct big big; /* of INT too, where big_of has been asked */
};

/* ---- to and from values */

bool
filter_read_big(ErlNifEnv *env, ERL_NIF_TERM t, struct big *out)
{
    enum {
        SMALL_BIG = 110,
        LARGE_BIG = 111
    }; /* 131, tag, n in one byte or four, sign, the bytes of the size */
    ErlNifBinary bin;
    if (!enif_term_to_binary(env, t, &bin))
        return false;
    size_t at = bin.size > 1 && bin.data[1] == SMALL_BIG   ? 4
                : bin.size > 1 && bin.data[1] == LARGE_BIG ? 7
                                                           : bin.size;
    bool fits = at < bin.size && big_from_bytes(out, bin.data[at - 1], bin.data + at, bin.size - at);
    enif_release_binary(&bin);
    return fits;
}

static void
read_term(struct machine *m, ERL_NIF_TERM t, struct number *out)
{
    ErlNifSInt64 i = 0;
    switch (enif_term_type(m->env, t)) {
    case ERL_NIF_TERM_TYPE_INTEGER:
        out->kind = enif_get_int64(m->env, t, &i) ? INT : BIG;
        out->i = i;
        if (out->kind == BIG && !filter_read_big(m->env, t, &out->big))
            machine_give_up(m);
        break;
    case ERL_NIF_TERM_TYPE_FLOAT:
        out->kind = FLOAT;
        enif_get_double(m->env, t, &out->d);
        break;
    default:
        out->kind = TERM;
    }
}

/* Returns false for what is no number, or too large a one. */
static bool
read(struct machine *m, struct value v, struct number *out)
{
    out->kind = v.kind;
    if (v.kind == TERM)
        read_term(m, v.term, out);
    else if (v.kind == INT)
        out->i = v.i;
    else if (v.kind == FLOAT)
        out->d = v.d;
    else
        out->big = m->big[v.big];
    return out->kind != TERM && !m->unknown;
}

static const struct big *
big_of(struct number *x)
{
    if (x->kind == INT)
        big_from_int(&x->big, x->i);
    return &x->big;
}

static double
double_of(const struct number *x)
{
    return x->kind == FLOAT ? x->d : x->kind == INT ? (double)x->i : big_to_double(&x->big);
}

static struct value
make_float(struct machine *m, double d)
{
    return isfinite(d) ? (struct value){.kind = FLOAT, .d = d} : machine_fail(m);
}

static struct value
make_big(struct machine *m, bool fits, const struct big *big)
{
    int64_t i;
    if (fits && big_to_int(big, &i))
        return machine_int(i);
    if (!fits || m->bigs >= BIGS)
        return machine_give_up(m);
    m->big[m->bigs] = *big;
    return (struct value){.kind = BIG, .big = m->bigs++};
}

bool
number_is(struct machine *m, struct value v, bool *is_float)
{
    ErlNifTermType type = v.kind == TERM ? enif_term_type(m->env, v.term) : ERL_NIF_TERM_TYPE_INTEGER;
    *is_float = v.kind == FLOAT || type == ERL_NIF_TERM_TYPE_FLOAT;
    return *is_float || type == ERL_NIF_TERM_TYPE_INTEGER;
}

bool
number_index(struct machine *m, struct value v, int64_t *i)
{
    ErlNifSInt64 got = v.i;
    bool ok = v.kind == INT || (v.kind == TERM && enif_get_int64(m->env, v.term, &got));
    *i = got;
    return ok;
}

/* ---- functions of one number */

static struct value
whole(struct machine *m, double d)
{
    struct big big;
    big_from_double(&big, d);
    return make_big(m, true, &big);
}

static struct value
negated(struct machine *m, struct number *x)
{
    struct big big;
    if (x->kind == FLOAT)
        return make_float(m, -x->d);
    big = *big_of(x);
    big.negative = big.n && !big.negative;
    return make_big(m, true, &big);
}

static bool
is_negative(const struct number *x)
{
    return x->kind == FLOAT ? x->d < 0 : x->kind == INT ? x->i < 0 : x->big.negative;
}

struct value
number_one(struct machine *m, unsigned f, struct value v)
{
    struct number x;
    struct big big, minus_one;
    if (!read(m, v, &x))
        return machine_fail(m);
    switch (f) {
    case ONE_float:
        return make_float(m, double_of(&x));
    case ONE_round:
        return x.kind == FLOAT ? whole(m, round(x.d)) : v;
    case ONE_trunc:
        return x.kind == FLOAT ? whole(m, trunc(x.d)) : v;
    case ONE_abs:
        return is_negative(&x) ? negated(m, &x) : v;
    case ONE_minus:
        return negated(m, &x);
    case ONE_plus:
        return v;
    default: /* bnot */
        if (x.kind == FLOAT)
            return machine_fail(m);
        big_from_int(&minus_one, -1);
        return make_big(m, big_bits(&big, big_of(&x), &minus_one, BIG_XOR), &big);
    }
}

/* ---- of two */

static struct value
with_doubles(struct machine *m, unsigned f, double a, double b)
{
    if (!isfinite(a) || !isfinite(b))
        return machine_fail(m);
    switch (f) {
    case TWO_add:
        return make_float(m, a + b);
    case TWO_subtract:
        return make_float(m, a - b);
    case TWO_multiply:
        return make_float(m, a * b);
    case TWO_divide:
        return b == 0 ? machine_fail(m) : make_float(m, a / b);
    default:
        return machine_fail(m);
    }
}

static bool
with_ints(unsigned f, int64_t a, int64_t b, int64_t *v)
{
    bool divides = b != 0 && b != -1;
    switch (f) {
    case TWO_add:
        return !__builtin_add_overflow(a, b, v);
    case TWO_subtract:
        return !__builtin_sub_overflow(a, b, v);
    case TWO_multiply:
        return !__builtin_mul_overflow(a, b, v);
    case TWO_div:
        *v = divides ? a / b : 0;
        return divides;
    case TWO_rem:
        *v = divides ? a % b : 0;
        return divides;
    case TWO_band:
        *v = a & b;
        return true;
    case TWO_bor:
        *v = a | b;
        return true;
    case TWO_bxor:
        *v = a ^ b;
        return true;
    default: /* shifts */
        return false;
    }
}

static struct value
with_bigs(struct machine *m, unsigned f, const struct big *a, const struct big *b)
{
    struct big r, other = *b;
    int64_t by = 0;
    switch (f) {
    case TWO_subtract:
        other.negative = other.n && !other.negative; /* fall through */
    case TWO_add:
        return make_big(m, big_add(&r, a, &other), &r);
    case TWO_multiply:
        return make_big(m, big_multiply(&r, a, b), &r);
    case TWO_div:
    case TWO_rem:
        if (!b->n)
            return machine_fail(m);
        big_divide(&r, &other, a, b);
        return make_big(m, true, f == TWO_div ? &r : &other);
    case TWO_bsl:
    case TWO_bsr:
        if (!big_to_int(b, &by) || by == INT64_MIN)
            by = b->negative ? -INT64_MAX : INT64_MAX;
        return make_big(m, big_shift(&r, a, f == TWO_bsl ? by : -by), &r);
    default:
        return make_big(m, big_bits(&r, a, b, f == TWO_band ? BIG_AND : f == TWO_bor ? BIG_OR : BIG_XOR), &r);
    }
}

struct value
number_two(struct machine *m, unsigned f, struct value a, struct value b)
{
    struct number x, y;
    int64_t v;
    bool first = read(m, a, &x), second = read(m, b, &y);
    if (!first || !second)
        return machine_fail(m);
    if (x.kind == FLOAT || y.kind == FLOAT || f == TWO_divide)
        return with_doubles(m, f, double_of(&x), double_of(&y));
    if (x.kind == INT && y.kind == INT && with_ints(f, x.i, y.i, &v))
        return machine_int(v);
    return with_bigs(m, f, big_of(&x), big_of(&y));
}

/* ---- order */

static int
compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

/* An integer and a float, exactly: by the whole part of the float, then by the rest. */
static int
compare_mixed(struct number *integer, double d)
{
    struct big big;
    big_from_double(&big, trunc(d));
    int order = big_compare(big_of(integer), &big);
    return order ? order : compare_doubles(trunc(d), d);
}

static int
compare_numbers(struct number *x, struct number *y)
{
    if (x->kind == FLOAT && y->kind == FLOAT)
        return compare_doubles(x->d, y->d);
    if (y->kind == FLOAT)
        return compare_mixed(x, y->d);
    if (x->kind == FLOAT)
        return -compare_mixed(y, x->d);
    if (x->kind == INT && y->kind == INT)
        return (x->i > y->i) - (x->i < y->i);
    return big_compare(big_of(x), big_of(y));
}

int
number_compare(struct machine *m, struct value a, struct value b)
{
    struct number x, y;
    if (a.kind == TERM && b.kind == TERM)
        return enif_compare(a.term, b.term);
    bool first = read(m, a, &x), second = read(m, b, &y); /* at least one of them is a number */
    return first && second ? compare_numbers(&x, &y) : first ? -1 : 1;
}

bool
number_same(struct machine *m, struct value a, struct value b)
{
    struct number x, y;
    if (a.kind == TERM && b.kind == TERM)
        return enif_is_identical(a.term, b.term);
    bool first = read(m, a, &x), second = read(m, b, &y);
    if (!first || !second || (x.kind == FLOAT) != (y.kind == FLOAT) || compare_numbers(&x, &y))
        return false;
    return x.kind != FLOAT || m->p->one_zero || signbit(x.d) == signbit(y.d);
}
