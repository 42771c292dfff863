#include "filter_machine.h"
#include <math.h>

enum { LIST_MAX = 65536 };

/* ---- numbers: integers of up to 60 bits, which need no memory; with any other number a guard fails */

static bool
get_number(struct machine *m, ERL_NIF_TERM t, int64_t *i)
{
    ErlNifSInt64 v = 0;
    bool ok = enif_get_int64(m->env, t, &v);
    *i = v;
    return ok;
}

static ERL_NIF_TERM
number(struct machine *m, int64_t v)
{
    enum { BITS = 59 };
    if (v >= INT64_C(1) << BITS || v < -(INT64_C(1) << BITS))
        return machine_fail(m);
    return enif_make_int64(m->env, v);
}

static ERL_NIF_TERM
shifted(struct machine *m, int64_t v, int64_t by)
{
    if (by < 0)
        return number(m, by > -63 ? v >> -by : v < 0 ? -1 : 0);
    int64_t most = by < 60 ? INT64_C(1) << (60 - by) : 1;
    if (v != 0 && (by >= 60 || v >= most || v < -most))
        return machine_fail(m);
    return number(m, v ? (int64_t)((uint64_t)v << by) : 0);
}

static ERL_NIF_TERM
arithmetic(struct machine *m, unsigned f, ERL_NIF_TERM ta, ERL_NIF_TERM tb)
{
    int64_t a, b, v;
    if (!get_number(m, ta, &a) || !get_number(m, tb, &b))
        return machine_fail(m);
    switch (f) {
    case TWO_add:
        return __builtin_add_overflow(a, b, &v) ? machine_fail(m) : number(m, v);
    case TWO_subtract:
        return __builtin_sub_overflow(a, b, &v) ? machine_fail(m) : number(m, v);
    case TWO_multiply:
        return __builtin_mul_overflow(a, b, &v) ? machine_fail(m) : number(m, v);
    case TWO_div:
        return b == 0 || (a == INT64_MIN && b == -1) ? machine_fail(m) : number(m, a / b);
    case TWO_rem:
        return b == 0 ? machine_fail(m) : number(m, b == -1 ? 0 : a % b);
    case TWO_band:
        return number(m, a & b);
    case TWO_bor:
        return number(m, a | b);
    case TWO_bxor:
        return number(m, a ^ b);
    case TWO_bsl:
        return shifted(m, a, b);
    default:
        return shifted(m, a, b == INT64_MIN ? INT64_MAX : -b);
    }
}

static ERL_NIF_TERM
whole(struct machine *m, ERL_NIF_TERM t, double (*how)(double))
{
    int64_t i;
    double d;
    if (get_number(m, t, &i))
        return number(m, i);
    if (!enif_get_double(m->env, t, &d) || fabs(d) >= 0x1p59)
        return machine_fail(m);
    return number(m, (int64_t)how(d));
}

/* ---- guard functions */

static ERL_NIF_TERM
sized(struct machine *m, unsigned f, ERL_NIF_TERM t)
{
    const ERL_NIF_TERM *at;
    ErlNifBinary bin;
    int n;
    size_t pairs;
    bool any = f == ONE_size;
    if ((any || f == ONE_tuple_size) && enif_get_tuple(m->env, t, &n, &at))
        return number(m, n);
    if ((any || f == ONE_byte_size) && enif_inspect_binary(m->env, t, &bin))
        return number(m, (int64_t)bin.size);
    if (f == ONE_map_size && enif_get_map_size(m->env, t, &pairs))
        return number(m, (int64_t)pairs);
    return machine_fail(m);
}

/* Returns the length of a list. A list beyond a bound counts as an error, so that no event waits for a
 * long one. */
static ERL_NIF_TERM
length(struct machine *m, ERL_NIF_TERM t)
{
    ERL_NIF_TERM head;
    int64_t n = 0;
    while (enif_get_list_cell(m->env, t, &head, &t))
        if (++n > LIST_MAX)
            return machine_fail(m);
    return enif_is_empty_list(m->env, t) ? number(m, n) : machine_fail(m);
}

static ERL_NIF_TERM
is_of(struct machine *m, unsigned f, ERL_NIF_TERM t)
{
    ErlNifTermType type = enif_term_type(m->env, t);
    switch (f) {
    case ONE_is_atom:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_ATOM);
    case ONE_is_float:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_FLOAT);
    case ONE_is_integer:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_INTEGER);
    case ONE_is_list:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_LIST);
    case ONE_is_number:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_INTEGER || type == ERL_NIF_TERM_TYPE_FLOAT);
    case ONE_is_pid:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_PID);
    case ONE_is_port:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_PORT);
    case ONE_is_reference:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_REFERENCE);
    case ONE_is_tuple:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_TUPLE);
    case ONE_is_map:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_MAP);
    case ONE_is_binary:
        return machine_boolean(m, enif_is_binary(m->env, t));
    case ONE_is_boolean:
        return machine_boolean(m, machine_is_boolean(m, t));
    default:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_FUN);
    }
}

ERL_NIF_TERM
guard_one(struct machine *m, unsigned f, ERL_NIF_TERM t)
{
    ERL_NIF_TERM head, tail;
    int64_t i;
    switch (f) {
    case ONE_not:
        return machine_is_boolean(m, t) ? machine_boolean(m, t == m->no) : machine_fail(m);
    case ONE_abs:
        return get_number(m, t, &i) && i != INT64_MIN ? number(m, i < 0 ? -i : i) : machine_fail(m);
    case ONE_hd:
        return enif_get_list_cell(m->env, t, &head, &tail) ? head : machine_fail(m);
    case ONE_tl:
        return enif_get_list_cell(m->env, t, &head, &tail) ? tail : machine_fail(m);
    case ONE_length:
        return length(m, t);
    case ONE_map_size:
    case ONE_tuple_size:
    case ONE_byte_size:
    case ONE_size:
        return sized(m, f, t);
    case ONE_round:
        return whole(m, t, round);
    case ONE_trunc:
        return whole(m, t, trunc);
    case ONE_plus:
        return get_number(m, t, &i) ? number(m, i) : machine_fail(m);
    case ONE_minus:
        return get_number(m, t, &i) && i != INT64_MIN ? number(m, -i) : machine_fail(m);
    case ONE_bnot:
        return get_number(m, t, &i) ? number(m, ~i) : machine_fail(m);
    default:
        return is_of(m, f, t);
    }
}

static ERL_NIF_TERM
logical(struct machine *m, unsigned f, ERL_NIF_TERM a, ERL_NIF_TERM b)
{
    if (!machine_is_boolean(m, a) || !machine_is_boolean(m, b))
        return machine_fail(m);
    bool x = a == m->yes, y = b == m->yes;
    return machine_boolean(m, f == TWO_and ? x && y : f == TWO_or ? x || y : x != y);
}

static ERL_NIF_TERM
part(struct machine *m, unsigned f, ERL_NIF_TERM a, ERL_NIF_TERM b)
{
    const ERL_NIF_TERM *at;
    int n;
    int64_t i;
    ERL_NIF_TERM value;
    size_t pairs;
    if (f == TWO_element)
        return get_number(m, a, &i) && enif_get_tuple(m->env, b, &n, &at) && i >= 1 && i <= n
                   ? at[i - 1]
                   : machine_fail(m);
    if (!enif_get_map_size(m->env, b, &pairs))
        return machine_fail(m);
    bool there = enif_get_map_value(m->env, b, a, &value);
    return f == TWO_is_map_key ? machine_boolean(m, there) : there ? value : machine_fail(m);
}

ERL_NIF_TERM
guard_two(struct machine *m, unsigned f, ERL_NIF_TERM a, ERL_NIF_TERM b)
{
    switch (f) {
    case TWO_element:
    case TWO_is_map_key:
    case TWO_map_get:
        return part(m, f, a, b);
    case TWO_greater:
        return machine_boolean(m, enif_compare(a, b) > 0);
    case TWO_not_less:
        return machine_boolean(m, enif_compare(a, b) >= 0);
    case TWO_less:
        return machine_boolean(m, enif_compare(a, b) < 0);
    case TWO_not_greater:
        return machine_boolean(m, enif_compare(a, b) <= 0);
    case TWO_same:
        return machine_boolean(m, enif_is_identical(a, b));
    case TWO_not_same:
        return machine_boolean(m, !enif_is_identical(a, b));
    case TWO_equal:
        return machine_boolean(m, enif_compare(a, b) == 0);
    case TWO_not_equal:
        return machine_boolean(m, enif_compare(a, b) != 0);
    case TWO_and:
    case TWO_or:
    case TWO_xor:
        return logical(m, f, a, b);
    default:
        return arithmetic(m, f, a, b);
    }
}
