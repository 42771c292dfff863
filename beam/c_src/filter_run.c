#include "filter.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STACK = 256, VARIABLES = 32, LIST_MAX = 65536 };

enum op {
#define OP(name, bytes) OP_##name,
#include "filter_op.def"
#undef OP
    OPS
};
static const uint8_t operand_bytes[OPS] = {
#define OP(name, bytes) bytes,
#include "filter_op.def"
#undef OP
};
#define ONE(name, text) ONE_##name,
#define TWO(name, text)
enum {
#include "filter_fun.def"
};
#undef ONE
#undef TWO
#define ONE(name, text)
#define TWO(name, text) TWO_##name,
enum {
#include "filter_fun.def"
};
#undef ONE
#undef TWO

struct machine {
    ErlNifEnv *env;
    const struct filter_program *p;
    const struct filter_event *ev;
    struct filter_text *say;
    size_t pc, next_clause;
    unsigned n;   /* on the stack */
    bool failed;  /* this clause does not match, or what it says cannot be worked out */
    bool in_body; /* behind the guards: what fails has the value 'EXIT', no other clause is tried */
    ERL_NIF_TERM yes, no;
    uint32_t bound; /* variables that have a value */
    ERL_NIF_TERM variable[VARIABLES];
    ERL_NIF_TERM stack[STACK];
};

static ERL_NIF_TERM
fail(struct machine *m)
{
    m->failed = true;
    return m->no;
}

static void
push(struct machine *m, ERL_NIF_TERM t)
{
    if (m->n < STACK)
        m->stack[m->n++] = t;
    else
        fail(m);
}

static ERL_NIF_TERM
pop(struct machine *m)
{
    return m->n > 0 ? m->stack[--m->n] : fail(m);
}

static void
need(struct machine *m, bool condition)
{
    if (!condition)
        fail(m);
}

static ERL_NIF_TERM
literal(struct machine *m, unsigned i)
{
    return i < m->p->literals ? m->p->literal[i] : fail(m);
}

static ERL_NIF_TERM
variable(struct machine *m, unsigned i)
{
    return i < VARIABLES && m->bound >> i & 1 ? m->variable[i] : fail(m);
}

static void
bind(struct machine *m, unsigned i, ERL_NIF_TERM t)
{
    if (i >= VARIABLES) {
        fail(m);
        return;
    }
    m->variable[i] = t;
    m->bound |= UINT32_C(1) << i;
}

static ERL_NIF_TERM
boolean(const struct machine *m, bool b)
{
    return b ? m->yes : m->no;
}

/* ---- numbers: whole ones of up to 60 bits, which take no memory; with others a guard fails */

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
        return fail(m);
    return enif_make_int64(m->env, v);
}

static ERL_NIF_TERM
shifted(struct machine *m, int64_t v, int64_t by)
{
    if (by < 0)
        return number(m, by > -63 ? v >> -by : v < 0 ? -1 : 0);
    int64_t most = by < 60 ? INT64_C(1) << (60 - by) : 1;
    if (v != 0 && (by >= 60 || v >= most || v < -most))
        return fail(m);
    return number(m, v ? (int64_t)((uint64_t)v << by) : 0);
}

static ERL_NIF_TERM
arithmetic(struct machine *m, unsigned f, ERL_NIF_TERM ta, ERL_NIF_TERM tb)
{
    int64_t a, b, v;
    if (!get_number(m, ta, &a) || !get_number(m, tb, &b))
        return fail(m);
    switch (f) {
    case TWO_add:
        return __builtin_add_overflow(a, b, &v) ? fail(m) : number(m, v);
    case TWO_subtract:
        return __builtin_sub_overflow(a, b, &v) ? fail(m) : number(m, v);
    case TWO_multiply:
        return __builtin_mul_overflow(a, b, &v) ? fail(m) : number(m, v);
    case TWO_div:
        return b == 0 || (a == INT64_MIN && b == -1) ? fail(m) : number(m, a / b);
    case TWO_rem:
        return b == 0 ? fail(m) : number(m, b == -1 ? 0 : a % b);
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
        return fail(m);
    return number(m, (int64_t)how(d));
}

/* ---- functions of guards */

static bool
is_boolean(const struct machine *m, ERL_NIF_TERM t)
{
    return t == m->yes || t == m->no;
}

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
    return fail(m);
}

/* A list beyond a bound has no length for us: nobody waits for one of a million. */
static ERL_NIF_TERM
length(struct machine *m, ERL_NIF_TERM t)
{
    ERL_NIF_TERM head;
    int64_t n = 0;
    while (enif_get_list_cell(m->env, t, &head, &t))
        if (++n > LIST_MAX)
            return fail(m);
    return enif_is_empty_list(m->env, t) ? number(m, n) : fail(m);
}

static ERL_NIF_TERM
is_of(struct machine *m, unsigned f, ERL_NIF_TERM t)
{
    ErlNifTermType type = enif_term_type(m->env, t);
    switch (f) {
    case ONE_is_atom:
        return boolean(m, type == ERL_NIF_TERM_TYPE_ATOM);
    case ONE_is_float:
        return boolean(m, type == ERL_NIF_TERM_TYPE_FLOAT);
    case ONE_is_integer:
        return boolean(m, type == ERL_NIF_TERM_TYPE_INTEGER);
    case ONE_is_list:
        return boolean(m, type == ERL_NIF_TERM_TYPE_LIST);
    case ONE_is_number:
        return boolean(m, type == ERL_NIF_TERM_TYPE_INTEGER || type == ERL_NIF_TERM_TYPE_FLOAT);
    case ONE_is_pid:
        return boolean(m, type == ERL_NIF_TERM_TYPE_PID);
    case ONE_is_port:
        return boolean(m, type == ERL_NIF_TERM_TYPE_PORT);
    case ONE_is_reference:
        return boolean(m, type == ERL_NIF_TERM_TYPE_REFERENCE);
    case ONE_is_tuple:
        return boolean(m, type == ERL_NIF_TERM_TYPE_TUPLE);
    case ONE_is_map:
        return boolean(m, type == ERL_NIF_TERM_TYPE_MAP);
    case ONE_is_binary:
        return boolean(m, enif_is_binary(m->env, t));
    case ONE_is_boolean:
        return boolean(m, is_boolean(m, t));
    default:
        return boolean(m, type == ERL_NIF_TERM_TYPE_FUN);
    }
}

static ERL_NIF_TERM
one(struct machine *m, unsigned f, ERL_NIF_TERM t)
{
    ERL_NIF_TERM head, tail;
    int64_t i;
    switch (f) {
    case ONE_not:
        return is_boolean(m, t) ? boolean(m, t == m->no) : fail(m);
    case ONE_abs:
        return get_number(m, t, &i) && i != INT64_MIN ? number(m, i < 0 ? -i : i) : fail(m);
    case ONE_hd:
        return enif_get_list_cell(m->env, t, &head, &tail) ? head : fail(m);
    case ONE_tl:
        return enif_get_list_cell(m->env, t, &head, &tail) ? tail : fail(m);
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
        return get_number(m, t, &i) ? number(m, i) : fail(m);
    case ONE_minus:
        return get_number(m, t, &i) && i != INT64_MIN ? number(m, -i) : fail(m);
    case ONE_bnot:
        return get_number(m, t, &i) ? number(m, ~i) : fail(m);
    default:
        return is_of(m, f, t);
    }
}

static ERL_NIF_TERM
logical(struct machine *m, unsigned f, ERL_NIF_TERM a, ERL_NIF_TERM b)
{
    if (!is_boolean(m, a) || !is_boolean(m, b))
        return fail(m);
    bool x = a == m->yes, y = b == m->yes;
    return boolean(m, f == TWO_and ? x && y : f == TWO_or ? x || y : x != y);
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
        return get_number(m, a, &i) && enif_get_tuple(m->env, b, &n, &at) && i >= 1 && i <= n ? at[i - 1]
                                                                                              : fail(m);
    if (!enif_get_map_size(m->env, b, &pairs))
        return fail(m);
    bool there = enif_get_map_value(m->env, b, a, &value);
    return f == TWO_is_map_key ? boolean(m, there) : there ? value : fail(m);
}

static ERL_NIF_TERM
two(struct machine *m, unsigned f, ERL_NIF_TERM a, ERL_NIF_TERM b)
{
    switch (f) {
    case TWO_element:
    case TWO_is_map_key:
    case TWO_map_get:
        return part(m, f, a, b);
    case TWO_greater:
        return boolean(m, enif_compare(a, b) > 0);
    case TWO_not_less:
        return boolean(m, enif_compare(a, b) >= 0);
    case TWO_less:
        return boolean(m, enif_compare(a, b) < 0);
    case TWO_not_greater:
        return boolean(m, enif_compare(a, b) <= 0);
    case TWO_same:
        return boolean(m, enif_is_identical(a, b));
    case TWO_not_same:
        return boolean(m, !enif_is_identical(a, b));
    case TWO_equal:
        return boolean(m, enif_compare(a, b) == 0);
    case TWO_not_equal:
        return boolean(m, enif_compare(a, b) != 0);
    case TWO_and:
    case TWO_or:
    case TWO_xor:
        return logical(m, f, a, b);
    default:
        return arithmetic(m, f, a, b);
    }
}

/* ---- instructions */

static void
take_apart(struct machine *m, unsigned op, unsigned x)
{
    const ERL_NIF_TERM *at;
    int n;
    ERL_NIF_TERM t = pop(m), head, tail;
    if (op == OP_tuple) {
        bool fits = enif_get_tuple(m->env, t, &n, &at) && n == (int)x;
        need(m, fits);
        for (int i = fits ? n : 0; i > 0; i--)
            push(m, at[i - 1]);
        return;
    }
    bool cell = enif_get_list_cell(m->env, t, &head, &tail);
    need(m, cell);
    push(m, cell ? tail : t);
    push(m, cell ? head : t);
}

static void
head_op(struct machine *m, unsigned op, unsigned x)
{
    ERL_NIF_TERM t;
    switch (op) {
    case OP_arity:
        need(m, m->ev->n == x);
        break;
    case OP_event:
        push(m, x < m->ev->n ? m->ev->at[x] : fail(m));
        break;
    case OP_drop:
        pop(m);
        break;
    case OP_bind:
        bind(m, x, pop(m));
        break;
    case OP_same:
        t = pop(m);
        need(m, enif_is_identical(t, variable(m, x)));
        break;
    case OP_is:
        t = pop(m);
        need(m, enif_is_identical(t, literal(m, x)));
        break;
    case OP_map:
        need(m, m->n > 0 && enif_is_map(m->env, m->stack[m->n - 1]));
        break;
    case OP_key:
        t = m->n > 0 ? m->stack[m->n - 1] : fail(m);
        need(m, enif_is_map(m->env, t) && enif_get_map_value(m->env, t, literal(m, x), &t));
        push(m, t);
        break;
    default:
        take_apart(m, op, x);
    }
}

static void
jump_op(struct machine *m, unsigned op, unsigned x)
{
    ERL_NIF_TERM t = m->n > 0 ? m->stack[m->n - 1] : fail(m);
    bool other = !is_boolean(m, t);
    if (x < m->pc || (other && !m->in_body))
        fail(m);
    else if (other && m->n > 0) {
        m->stack[m->n - 1] = m->p->exited;
        m->pc = x;
    } else if (t == boolean(m, op == OP_or_else))
        m->pc = x;
    else
        pop(m);
}

/* As in ets: in a body a function that fails has a value. */
static ERL_NIF_TERM
caught(struct machine *m, ERL_NIF_TERM value)
{
    bool exited = m->failed && m->in_body;
    m->failed &= !exited;
    return exited ? m->p->exited : value;
}

static void
guard_op(struct machine *m, unsigned op, unsigned x)
{
    ERL_NIF_TERM a, b;
    switch (op) {
    case OP_variable:
        push(m, variable(m, x));
        break;
    case OP_literal:
        push(m, literal(m, x));
        break;
    case OP_one:
        a = pop(m);
        push(m, caught(m, one(m, x, a)));
        break;
    case OP_two:
        b = pop(m);
        a = pop(m);
        push(m, caught(m, two(m, x, a, b)));
        break;
    case OP_boolean:
        need(m, m->n > 0 && is_boolean(m, m->stack[m->n - 1]));
        break;
    case OP_test:
        need(m, pop(m) == m->yes);
        break;
    default:
        jump_op(m, op, x);
    }
}

static void
add_text(struct filter_text *to, const void *text, size_t n)
{
    size_t room = FILTER_TEXT - to->n;
    n = n < room ? n : room;
    memcpy(to->at + to->n, text, n);
    to->n += n;
}

static void
say_op(struct machine *m, unsigned op, unsigned x)
{
    ErlNifBinary bin;
    if (op == OP_text && enif_inspect_binary(m->env, literal(m, x), &bin))
        add_text(m->say, bin.data, bin.size);
    else if (op == OP_print)
        filter_print(m->env, pop(m), m->say);
    else if (op == OP_print_event) {
        for (unsigned i = 0; i < m->ev->n; i++) {
            add_text(m->say, i ? "," : "{", 1);
            filter_print(m->env, m->ev->at[i], m->say);
        }
        add_text(m->say, "}", 1);
    }
}

static void
step(struct machine *m, unsigned op, unsigned x)
{
    if (op == OP_clause) {
        m->next_clause = x;
        m->n = 0;
        m->bound = 0;
    } else if (op == OP_body) {
        m->in_body = true;
    } else if (op <= OP_key)
        head_op(m, op, x);
    else if (op <= OP_test)
        guard_op(m, op, x);
    else
        say_op(m, op, x);
}

/* The next instruction; false at one that there is not, or whose operand is cut off. */
static bool
fetch(struct machine *m, unsigned *op, unsigned *x)
{
    *op = m->p->code[m->pc++];
    *x = 0;
    if (*op >= OPS || operand_bytes[*op] > m->p->n - m->pc)
        return false;
    for (unsigned i = 0; i < operand_bytes[*op]; i++)
        *x = *x << 8 | m->p->code[m->pc++];
    return true;
}

enum filter_verdict
filter_run(const struct filter_program *p, ErlNifEnv *env, const struct filter_event *ev,
           struct filter_text *say)
{
    struct machine m; /* not cleared: that would cost more than most filters take */
    unsigned op, x;
    m.env = env, m.p = p, m.ev = ev, m.say = say, m.yes = p->yes, m.no = p->no;
    m.pc = m.next_clause = m.n = m.bound = 0;
    m.failed = m.in_body = false;
    say->n = 0;
    while (m.pc < p->n && fetch(&m, &op, &x)) {
        if (op == OP_decide)
            return pop(&m) == m.yes && !m.failed ? FILTER_PASS : FILTER_DROP;
        if (op == OP_end)
            return FILTER_SAY;
        step(&m, op, x);
        if (m.failed && (m.in_body || m.next_clause < m.pc))
            return FILTER_DROP;
        if (m.failed)
            m.pc = m.next_clause, m.failed = false;
    }
    return FILTER_DROP;
}

/* ---- what there is */

struct name {
    const char *text;
    unsigned bytes;
};

static ERL_NIF_TERM
names(ErlNifEnv *env, const struct name *at, size_t n, bool with_bytes)
{
    ERL_NIF_TERM list = enif_make_list(env, 0);
    for (size_t i = n; i-- > 0;) {
        ERL_NIF_TERM name = enif_make_atom(env, at[i].text);
        list = enif_make_list_cell(
            env, with_bytes ? enif_make_tuple2(env, name, enif_make_uint(env, at[i].bytes)) : name, list);
    }
    return list;
}

ERL_NIF_TERM
nif_filter_names(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    (void)argc, (void)argv;
#define OP(name, bytes) {#name, bytes},
    static const struct name ops[] = {
#include "filter_op.def"
    };
#undef OP
#define ONE(name, text) {text, 0},
#define TWO(name, text)
    static const struct name ones[] = {
#include "filter_fun.def"
    };
#undef ONE
#undef TWO
#define ONE(name, text)
#define TWO(name, text) {text, 0},
    static const struct name twos[] = {
#include "filter_fun.def"
    };
#undef ONE
#undef TWO
    return enif_make_tuple3(env, names(env, ops, sizeof ops / sizeof *ops, true),
                            names(env, ones, sizeof ones / sizeof *ones, false),
                            names(env, twos, sizeof twos / sizeof *twos, false));
}
