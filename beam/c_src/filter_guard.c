#include "filter_machine.h"

enum { LIST_MAX = 65536 };

/* ---- guard functions */

static struct value
sized(struct machine *m, unsigned f, ERL_NIF_TERM t)
{
    const ERL_NIF_TERM *at;
    ErlNifBinary bin;
    int n;
    size_t pairs;
    if ((f == ONE_size || f == ONE_tuple_size) && enif_get_tuple(m->env, t, &n, &at))
        return machine_int(n);
    if (f == ONE_map_size && enif_get_map_size(m->env, t, &pairs))
        return machine_int((int64_t)pairs);
    if (f == ONE_map_size || f == ONE_tuple_size || enif_term_type(m->env, t) != ERL_NIF_TERM_TYPE_BITSTRING)
        return machine_fail(m);
    if (!enif_inspect_binary(m->env, t, &bin)) /* its last byte is not whole */
        return machine_give_up(m);
    return machine_int((int64_t)bin.size * (f == ONE_bit_size ? 8 : 1));
}

/* Returns the length of a list up to a bound, so that no event waits for a long one. */
static struct value
length(struct machine *m, ERL_NIF_TERM t)
{
    ERL_NIF_TERM head;
    int64_t n = 0;
    while (enif_get_list_cell(m->env, t, &head, &t))
        if (++n > LIST_MAX)
            return machine_give_up(m);
    return enif_is_empty_list(m->env, t) ? machine_int(n) : machine_fail(m);
}

static struct value
is_of(struct machine *m, unsigned f, struct value v)
{
    bool is_float, is_number = number_is(m, v, &is_float);
    ErlNifTermType type = is_number ? ERL_NIF_TERM_TYPE_INTEGER : enif_term_type(m->env, v.term);
    switch (f) {
    case ONE_is_atom:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_ATOM);
    case ONE_is_float:
        return machine_boolean(m, is_float);
    case ONE_is_integer:
        return machine_boolean(m, is_number && !is_float);
    case ONE_is_list:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_LIST);
    case ONE_is_number:
        return machine_boolean(m, is_number);
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
        return machine_boolean(m, !is_number && enif_is_binary(m->env, v.term));
    case ONE_is_boolean:
        return machine_boolean(m, machine_is_boolean(m, v));
    default:
        return machine_boolean(m, type == ERL_NIF_TERM_TYPE_FUN);
    }
}

struct value
guard_one(struct machine *m, unsigned f, struct value v)
{
    ERL_NIF_TERM head, tail,
        t = v.kind == TERM ? v.term : m->no; /* a number is neither a list nor has it a size */
    switch (f) {
    case ONE_not:
        return machine_is_boolean(m, v) ? machine_boolean(m, machine_is(v, m->no)) : machine_fail(m);
    case ONE_hd:
        return enif_get_list_cell(m->env, t, &head, &tail) ? machine_term(head) : machine_fail(m);
    case ONE_tl:
        return enif_get_list_cell(m->env, t, &head, &tail) ? machine_term(tail) : machine_fail(m);
    case ONE_length:
        return length(m, t);
    case ONE_map_size:
    case ONE_tuple_size:
    case ONE_byte_size:
    case ONE_bit_size:
    case ONE_size:
        return sized(m, f, t);
    case ONE_abs:
    case ONE_float:
    case ONE_round:
    case ONE_trunc:
    case ONE_plus:
    case ONE_minus:
    case ONE_bnot:
        return number_one(m, f, v);
    default:
        return is_of(m, f, v);
    }
}

static struct value
logical(struct machine *m, unsigned f, struct value a, struct value b)
{
    if (!machine_is_boolean(m, a) || !machine_is_boolean(m, b))
        return machine_fail(m);
    bool x = machine_is(a, m->yes), y = machine_is(b, m->yes);
    return machine_boolean(m, f == TWO_and ? x && y : f == TWO_or ? x || y : x != y);
}

static struct value
element(struct machine *m, struct value n, struct value of)
{
    const ERL_NIF_TERM *at;
    int arity;
    int64_t i;
    return number_index(m, n, &i) && of.kind == TERM && enif_get_tuple(m->env, of.term, &arity, &at) &&
                   i >= 1 && i <= arity
               ? machine_term(at[i - 1])
               : machine_fail(m);
}

static struct value
in_map(struct machine *m, unsigned f, struct value key, struct value map)
{
    ERL_NIF_TERM value;
    if (map.kind != TERM || !enif_is_map(m->env, map.term))
        return machine_fail(m);
    bool there = enif_get_map_value(m->env, map.term, machine_as_term(m, key), &value);
    return f == TWO_is_map_key ? machine_boolean(m, there) : there ? machine_term(value) : machine_fail(m);
}

struct value
guard_two(struct machine *m, unsigned f, struct value a, struct value b)
{
    switch (f) {
    case TWO_element:
        return element(m, a, b);
    case TWO_is_map_key:
    case TWO_map_get:
        return in_map(m, f, a, b);
    case TWO_greater:
        return machine_boolean(m, number_compare(m, a, b) > 0);
    case TWO_not_less:
        return machine_boolean(m, number_compare(m, a, b) >= 0);
    case TWO_less:
        return machine_boolean(m, number_compare(m, a, b) < 0);
    case TWO_not_greater:
        return machine_boolean(m, number_compare(m, a, b) <= 0);
    case TWO_same:
        return machine_boolean(m, number_same(m, a, b));
    case TWO_not_same:
        return machine_boolean(m, !number_same(m, a, b));
    case TWO_equal:
        return machine_boolean(m, number_compare(m, a, b) == 0);
    case TWO_not_equal:
        return machine_boolean(m, number_compare(m, a, b) != 0);
    case TWO_and:
    case TWO_or:
    case TWO_xor:
        return logical(m, f, a, b);
    default:
        return number_two(m, f, a, b);
    }
}

/* As is_record/3: the tag must be an atom, the size a small integer. */
struct value
guard_is_record(struct machine *m, struct value v, struct value tag, struct value size)
{
    enum { SMALL_BITS = 59 };
    const ERL_NIF_TERM *at;
    int arity;
    int64_t n;
    if (tag.kind != TERM || !enif_is_atom(m->env, tag.term) || !number_index(m, size, &n) ||
        n >= INT64_C(1) << SMALL_BITS || n < -(INT64_C(1) << SMALL_BITS))
        return machine_fail(m);
    return machine_boolean(m, v.kind == TERM && enif_get_tuple(m->env, v.term, &arity, &at) && arity == n &&
                                  n > 0 && at[0] == tag.term);
}
