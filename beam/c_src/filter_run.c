#include "filter_machine.h"
#include <string.h>

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

static void
push(struct machine *m, struct value v)
{
    if (m->n < STACK)
        m->stack[m->n++] = v;
    else
        machine_fail(m);
}

static struct value
pop(struct machine *m)
{
    return m->n > 0 ? m->stack[--m->n] : machine_fail(m);
}

static ERL_NIF_TERM
pop_term(struct machine *m)
{
    return machine_as_term(m, pop(m));
}

static struct value
top(struct machine *m)
{
    return m->n > 0 ? m->stack[m->n - 1] : machine_fail(m);
}

static void
need(struct machine *m, bool condition)
{
    if (!condition)
        machine_fail(m);
}

static ERL_NIF_TERM
literal(struct machine *m, unsigned i)
{
    return i < m->p->literals ? m->p->literal[i] : machine_fail(m).term;
}

static ERL_NIF_TERM
variable(struct machine *m, unsigned i)
{
    return i < VARIABLES && m->bound >> i & 1 ? m->variable[i] : machine_fail(m).term;
}

static void
bind(struct machine *m, unsigned i, ERL_NIF_TERM t)
{
    if (i >= VARIABLES) {
        machine_fail(m);
        return;
    }
    m->variable[i] = t;
    m->bound |= UINT32_C(1) << i;
}

/* ---- instructions */

static void
take_apart(struct machine *m, unsigned op, unsigned x)
{
    const ERL_NIF_TERM *at;
    int n;
    ERL_NIF_TERM t = pop_term(m), head, tail;
    if (op == OP_tuple) {
        bool fits = enif_get_tuple(m->env, t, &n, &at) && n == (int)x;
        need(m, fits);
        for (int i = fits ? n : 0; i > 0; i--)
            push(m, machine_term(at[i - 1]));
        return;
    }
    bool cell = enif_get_list_cell(m->env, t, &head, &tail);
    need(m, cell);
    push(m, machine_term(cell ? tail : t));
    push(m, machine_term(cell ? head : t));
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
        push(m, x < m->ev->n ? machine_term(m->ev->at[x]) : machine_fail(m));
        break;
    case OP_drop:
        pop(m);
        break;
    case OP_bind:
        bind(m, x, pop_term(m));
        break;
    case OP_same:
        t = pop_term(m);
        need(m, enif_is_identical(t, variable(m, x)));
        break;
    case OP_is:
        t = pop_term(m);
        need(m, enif_is_identical(t, literal(m, x)));
        break;
    case OP_map:
        need(m, enif_is_map(m->env, machine_as_term(m, top(m))));
        break;
    case OP_key:
        t = machine_as_term(m, top(m));
        need(m, enif_is_map(m->env, t) && enif_get_map_value(m->env, t, literal(m, x), &t));
        push(m, machine_term(t));
        break;
    default:
        take_apart(m, op, x);
    }
}

static void
jump_op(struct machine *m, unsigned op, unsigned x)
{
    struct value v = top(m);
    bool other = !machine_is_boolean(m, v);
    if (x < m->pc || (other && !m->in_body))
        machine_fail(m);
    else if (other && m->n > 0) {
        m->stack[m->n - 1] = machine_term(m->p->exited);
        m->pc = x;
    } else if (machine_is(v, op == OP_or_else ? m->yes : m->no))
        m->pc = x;
    else
        pop(m);
}

/* As in ets: in a body, a failed function has a value. */
static struct value
caught(struct machine *m, struct value v)
{
    bool exited = m->failed && m->in_body;
    m->failed &= !exited;
    return exited ? machine_term(m->p->exited) : v;
}

/* Releases the large integers of operands; that of the result takes the first place. */
static struct value
keep_big(struct machine *m, const struct value *operand, unsigned n, struct value result)
{
    unsigned first = m->bigs;
    for (unsigned i = n; i-- > 0;)
        if (operand[i].kind == BIG && operand[i].big < first)
            first = operand[i].big;
    if (result.kind == BIG) {
        m->big[first] = m->big[result.big];
        result.big = first;
    }
    m->bigs = first + (result.kind == BIG);
    return result;
}

/* Applies the function of an instruction to the values on the top, and puts its value in their place. */
static void
apply(struct machine *m, unsigned op, unsigned f)
{
    struct value at[3];
    unsigned n = op == OP_one ? 1 : op == OP_two ? 2 : 3;
    for (unsigned i = n; i-- > 0;)
        at[i] = pop(m);
    struct value v = op == OP_one   ? guard_one(m, f, at[0])
                     : op == OP_two ? guard_two(m, f, at[0], at[1])
                                    : guard_is_record(m, at[0], at[1], at[2]);
    push(m, keep_big(m, at, n, caught(m, v)));
}

static void
guard_op(struct machine *m, unsigned op, unsigned x)
{
    switch (op) {
    case OP_variable:
        push(m, machine_term(variable(m, x)));
        break;
    case OP_literal:
        push(m, machine_term(literal(m, x)));
        break;
    case OP_one:
    case OP_two:
    case OP_is_record:
        apply(m, op, x);
        break;
    case OP_boolean:
        need(m, machine_is_boolean(m, top(m)));
        break;
    case OP_test:
        need(m, machine_is(pop(m), m->yes));
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
print_value(struct machine *m, struct value v)
{
    char text[BIG_TEXT];
    if (v.kind == TERM)
        filter_print(m->env, v.term, m->say);
    else if (v.kind == FLOAT)
        filter_print_float(v.d, m->say);
    else {
        if (v.kind == INT)
            big_from_int(&m->big[v.big = 0], v.i);
        filter_print_text(big_text(&m->big[v.big], text), m->say);
    }
}

static void
print_op(struct machine *m, unsigned op, unsigned x)
{
    ErlNifBinary bin;
    if (op == OP_text && enif_inspect_binary(m->env, literal(m, x), &bin))
        add_text(m->say, bin.data, bin.size);
    else if (op == OP_print)
        print_value(m, pop(m));
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
        m->n = m->bigs = 0;
        m->bound = 0;
    } else if (op == OP_body) {
        m->in_body = true;
    } else if (op <= OP_key)
        head_op(m, op, x);
    else if (op <= OP_test)
        guard_op(m, op, x);
    else
        print_op(m, op, x);
}

/* Fetches the next instruction; false for an unknown one or an incomplete operand. */
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
    struct machine m; /* not cleared: clearing costs more than most filters */
    unsigned op, x;
    m.env = env, m.p = p, m.ev = ev, m.say = say, m.yes = p->yes, m.no = p->no;
    m.pc = m.next_clause = m.n = m.bigs = m.bound = 0;
    m.failed = m.unknown = m.in_body = false;
    say->n = 0;
    while (m.pc < p->n && fetch(&m, &op, &x)) {
        if (op == OP_decide)
            return machine_is(pop(&m), m.yes) && !m.failed ? FILTER_PASS : FILTER_DROP;
        if (op == OP_end)
            return FILTER_SAY;
        step(&m, op, x);
        if (m.unknown)
            return FILTER_UNKNOWN;
        if (m.failed && (m.in_body || m.next_clause < m.pc))
            return FILTER_DROP;
        if (m.failed)
            m.pc = m.next_clause, m.failed = false;
    }
    return FILTER_DROP;
}

/* ---- names of instructions and functions */

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

NIF(nif_filter_names)
{
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
