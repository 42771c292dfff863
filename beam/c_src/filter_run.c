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
push(struct machine *m, ERL_NIF_TERM t)
{
    if (m->n < STACK)
        m->stack[m->n++] = t;
    else
        machine_fail(m);
}

static ERL_NIF_TERM
pop(struct machine *m)
{
    return m->n > 0 ? m->stack[--m->n] : machine_fail(m);
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
    return i < m->p->literals ? m->p->literal[i] : machine_fail(m);
}

static ERL_NIF_TERM
variable(struct machine *m, unsigned i)
{
    return i < VARIABLES && m->bound >> i & 1 ? m->variable[i] : machine_fail(m);
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
        push(m, x < m->ev->n ? m->ev->at[x] : machine_fail(m));
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
        t = m->n > 0 ? m->stack[m->n - 1] : machine_fail(m);
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
    ERL_NIF_TERM t = m->n > 0 ? m->stack[m->n - 1] : machine_fail(m);
    bool other = !machine_is_boolean(m, t);
    if (x < m->pc || (other && !m->in_body))
        machine_fail(m);
    else if (other && m->n > 0) {
        m->stack[m->n - 1] = m->p->exited;
        m->pc = x;
    } else if (t == machine_boolean(m, op == OP_or_else))
        m->pc = x;
    else
        pop(m);
}

/* As in ets: in a body, a failed function has a value. */
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
        push(m, caught(m, guard_one(m, x, a)));
        break;
    case OP_two:
        b = pop(m);
        a = pop(m);
        push(m, caught(m, guard_two(m, x, a, b)));
        break;
    case OP_boolean:
        need(m, m->n > 0 && machine_is_boolean(m, m->stack[m->n - 1]));
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
print_op(struct machine *m, unsigned op, unsigned x)
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
