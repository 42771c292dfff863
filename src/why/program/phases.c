#include "why/program/phases.h"
#include "profile/derive.h"
#include "profile/scan_row.h"
#include "base/vec.h"
#include "profile/otp.h"
#include "why/program/words.h"

/* ---- what the kernel's processes show ---- */

struct nodes { /* by the row of the node in table node */
    uint64_t n;
    bool *boots;
    int64_t *init, *start, *end;
    int64_t *shutdown; /* SB_NULL: none */
};

static int64_t
least(int64_t a, int64_t b)
{
    return a == SB_NULL ? b : b == SB_NULL || a < b ? a : b;
}

static void
look_at_kernels(const struct sb_profile *p, struct nodes *n)
{
    int64_t kernel = sb_profile_find_text(p, SB_STR("kernel_safe_sup")),
            init_name = sb_profile_find_text(p, SB_STR("init"));
    SB_SCAN(s, p, process, id, node, name, start);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t of = s.value[node][i];
        if (of < 1 || (uint64_t)of > n->n || s.value[name][i] == SB_NULL)
            continue;
        if (s.value[name][i] == kernel && s.value[start][i] != SB_NULL)
            n->boots[of - 1] = true;
        if (s.value[name][i] == init_name)
            n->init[of - 1] = s.value[id][i];
    }
}

static bool
shuts_down(const struct sb_profile *p, int64_t function)
{
    struct sb_str f = sb_profile_text(p, function);
    return sb_str_starts(f, SB_STR("init:shutdown")) ||
           sb_str_starts(f, SB_STR("init:global_prepare_shutdown"));
}

/* The start of the first slice in which the process prepares the shutdown; SB_NULL: none. */
static int64_t
find_shutdown(const struct sb_profile *p, int64_t init)
{
    int64_t from = SB_NULL;
    SB_SCAN(s, p, slice, start, out_function);
    sb_scan_where(&s, SB_C_slice__process, init, init);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (s.value[out_function][i] != SB_NULL && shuts_down(p, s.value[out_function][i]))
            from = least(from, s.value[start][i]);
    return from;
}

static struct nodes
nodes_of(const struct sb_profile *p, struct sb_arena *a)
{
    struct nodes n = {.n = sb_profile_rows(p, SB_T_node)};
    n.boots = SB_NEW_N(a, bool, n.n + 1);
    n.init = SB_NEW_N(a, int64_t, n.n + 1);
    n.start = SB_NEW_N(a, int64_t, n.n + 1);
    n.end = SB_NEW_N(a, int64_t, n.n + 1);
    n.shutdown = SB_NEW_N(a, int64_t, n.n + 1);
    if (n.n > 0) {
        sb_profile_read(p, SB_T_node, SB_C_node__trace_start, 0, n.n, n.start);
        sb_profile_read(p, SB_T_node, SB_C_node__trace_end, 0, n.n, n.end);
    }
    look_at_kernels(p, &n);
    for (uint64_t i = 0; i < n.n; i++)
        n.shutdown[i] = n.init[i] ? find_shutdown(p, n.init[i]) : SB_NULL;
    return n;
}

/* ---- the part of a program ---- */

struct looking {
    const struct sb_profile *p;
    struct sb_program found;
    const struct nodes *nodes;
    uint64_t n_processes;
    enum how { COMPILED, INTERPRETED, COMMAND } how; /* what counts as code of a program: see sb_program_of */
    uint8_t *known;                                  /* by text id: 1 code of a program, 2 not */
    int64_t first;                                   /* the process that showed the first of it */
    bool is_born;                                    /* it was spawned with it */
    bool is_suite;                                   /* a test framework runs in it */
    int64_t command_id;   /* boots the node, then runs the command line; 0: not seen */
    int64_t command_node; /* row of its node */
};

/* Compilers fold constants by these functions of erl_eval, which do not run code of a program. */
static bool
folds_constants(struct sb_str mfa)
{
    static const char *const folding[] = {"erl_eval:partial_eval/1", "erl_eval:ev_expr/1",
                                          "erl_eval:ret_expr/2", "erl_eval:is_constant_expr/1",
                                          "erl_eval:new_bindings/0"};
    for (size_t i = 0; i < sizeof folding / sizeof *folding; i++)
        if (sb_str_eq(mfa, sb_str_of(folding[i])))
            return true;
    return false;
}

static bool
is_program(struct looking *x, int64_t text)
{
    if (text == SB_NULL)
        return false;
    if (x->known[text] == 0) {
        struct sb_str s = sb_profile_text(x->p, text);
        bool interprets =
            x->how == INTERPRETED && sb_str_starts(s, SB_STR("erl_eval:")) && !folds_constants(s);
        x->known[text] = s.n > 0 && (interprets || !sb_is_otp(s)) ? 1 : 2;
    }
    return x->known[text] == 1;
}

static void
saw(struct looking *x, int64_t process, int64_t from, bool is_born)
{
    if (process < 1 || (uint64_t)process > x->n_processes)
        return;
    x->found.has[process] = 1;
    if (from == SB_NULL || (x->found.from_ns != SB_NULL && from >= x->found.from_ns))
        return;
    x->found.from_ns = from;
    x->first = process;
    x->is_born = is_born;
}

/* init boots, and then runs its -eval, -s and -run, in a process without a name. */
static bool
runs_command(const struct looking *x, int64_t id, int64_t parent)
{
    if (parent < 1 || (uint64_t)parent > x->n_processes)
        return false;
    return sb_str_eq(sb_words_cell(x->p, parent, SB_C_process__name), SB_STR("init")) &&
           sb_str_eq(sb_words_cell(x->p, id, SB_C_process__entry), SB_STR("erlang:apply/2")) &&
           SB_CELL(x->p, process, name, (uint64_t)id - 1) == SB_NULL;
}

static int64_t
node_row(const struct looking *x, int64_t node)
{
    return node >= 1 && (uint64_t)node <= x->nodes->n ? node - 1 : SB_NULL;
}

static void
look_at_processes(struct looking *x)
{
    SB_SCAN(s, x->p, process, id, entry, spawn_mfa, start, parent, first_seen, node);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        bool commands = runs_command(x, s.value[id][i], s.value[parent][i]);
        bool tests = sb_test_part(sb_profile_text(x->p, s.value[entry][i])) != SB_TEST_NONE;
        x->is_suite |= tests;
        if (is_program(x, s.value[entry][i]) || is_program(x, s.value[spawn_mfa][i]) || tests)
            saw(x, s.value[id][i], s.value[start][i], true);
        else if (x->how == COMMAND && commands)
            saw(x, s.value[id][i], s.value[first_seen][i], true);
        if (commands && x->command_id == 0) {
            x->command_id = s.value[id][i];
            x->command_node = node_row(x, s.value[node][i]);
        }
    }
}

static void
look_at_slices(struct looking *x)
{
    SB_SCAN(s, x->p, slice, process, start, in_function, out_function);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (is_program(x, s.value[in_function][i]) || is_program(x, s.value[out_function][i]))
            saw(x, s.value[process][i], s.value[start][i], false);
}

/* ---- where it starts ---- */

/* The process that boots the node tells init {Pid, progress, started}, 4 words; its requests have other sizes. SB_NULL:
 * the boot, or its messages, are not in the trace. */
static int64_t
boot_done(const struct looking *x)
{
    enum { PROGRESS_WORDS = 4 };
    int64_t done = SB_NULL;
    if (x->command_id == 0 || x->command_node == SB_NULL || !x->nodes->boots[x->command_node])
        return SB_NULL;
    SB_SCAN(s, x->p, message, sender, sent, words);
    sb_scan_where(&s, SB_C_message__receiver, x->nodes->init[x->command_node],
                  x->nodes->init[x->command_node]);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (s.value[sender][i] == x->command_id && s.value[words][i] == PROGRESS_WORDS &&
            s.value[sent][i] > done)
            done = s.value[sent][i];
    return done;
}

/* Tools that run on a command line, and what they call to load a program. */
static bool
is_tool(const struct looking *x, int64_t function)
{
    static const char *const of[] = {
        "escript",           "epp",         "compile",       "erl_compile", "elixir", "Elixir.Mix",
        "Elixir.Kernel.CLI", "Elixir.Code", "Elixir.ExUnit", "rebar",       "r3_",    "code_server"};
    struct sb_str module = sb_otp_module(sb_profile_text(x->p, function));
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (sb_str_starts(module, sb_str_of(of[i])) && sb_is_otp(module))
            return true;
    return false;
}

struct stretch {     /* of slices of a process: the last one without a tool */
    int64_t from_ns; /* SB_NULL: the last slice ended in a tool, or waited for any message */
    bool ran_tool;   /* other than to load code */
};

static struct stretch
last_stretch(const struct looking *x, int64_t process, int64_t from, int64_t to)
{
    struct stretch l = {SB_NULL, false};
    int64_t loads = sb_profile_find_text(x->p, SB_STR("code_server:call/1"));
    SB_SCAN(s, x->p, slice, start, out_function);
    sb_scan_where(&s, SB_C_slice__process, process, process);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        if (s.value[start][i] < from || s.value[start][i] >= to)
            continue;
        bool tool = is_tool(x, s.value[out_function][i]);
        l.ran_tool |= tool && s.value[out_function][i] != loads;
        if (tool || sb_is_loop(sb_profile_text(x->p, s.value[out_function][i])))
            l.from_ns = SB_NULL;
        else if (l.from_ns == SB_NULL)
            l.from_ns = s.value[start][i];
    }
    return l;
}

static void
find_start(struct looking *x)
{
    int64_t boot = boot_done(x), own = x->found.from_ns;
    if (x->how == COMMAND && own != SB_NULL && boot != SB_NULL) {
        x->found.from_ns = boot;
        x->found.is_by_tool = last_stretch(x, x->command_id, boot, INT64_MAX).ran_tool;
    }
    if (x->how == COMMAND || boot == SB_NULL || own == SB_NULL || boot >= own)
        return;
    int64_t runs = !x->is_born ? x->first : SB_CELL(x->p, process, parent, (uint64_t)x->first - 1);
    struct stretch command = last_stretch(x, x->command_id, boot, own),
                   last = runs >= 1 ? last_stretch(x, runs, boot, own) : command;
    x->found.is_by_tool = command.ran_tool || last.ran_tool;
    if (!x->found.is_by_tool) {
        x->found.has[x->command_id] = 1;
        x->found.from_ns = boot;
    } else if (last.from_ns != SB_NULL)
        x->found.from_ns = last.from_ns;
}

/* ---- where it ends ---- */

static int64_t
end_of(const struct looking *x, int64_t node, int64_t end, int64_t last_seen)
{
    int64_t row = node_row(x, node);
    if (row == SB_NULL)
        return end != SB_NULL ? end : last_seen;
    int64_t last = least(x->nodes->shutdown[row], x->nodes->end[row]);
    return end == SB_NULL ? last : least(last, end);
}

/* When the command line worked last, before the node shut down. */
static int64_t
command_end(const struct looking *x)
{
    int64_t last = SB_NULL;
    SB_SCAN(s, x->p, slice, start, dur);
    sb_scan_where(&s, SB_C_slice__process, x->command_id, x->command_id);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        last = s.value[start][i] + s.value[dur][i];
    return least(last, x->nodes->shutdown[x->command_node]);
}

/* A process that was there before the trace belongs to a program that runs already. What a tool does after the last
 * code of the program, as to compile the rest of it, belongs to the run, but for the end of a test suite. */
static void
find_ends(struct looking *x)
{
    SB_SCAN(s, x->p, process, id, end, last_seen, start, node);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t process = s.value[id][i], row = node_row(x, s.value[node][i]);
        if (process < 1 || (uint64_t)process > x->n_processes || !x->found.has[process])
            continue;
        bool stays = x->how == COMMAND && row != SB_NULL && x->nodes->boots[row];
        int64_t to = end_of(x, s.value[node][i], stays ? SB_NULL : s.value[end][i], s.value[last_seen][i]);
        x->found.to_ns = to > x->found.to_ns ? to : x->found.to_ns;
        if (s.value[start][i] == SB_NULL && row != SB_NULL && !x->nodes->boots[row])
            x->found.from_ns = least(x->found.from_ns, x->nodes->start[row]);
    }
    if (x->found.is_by_tool && !x->is_suite) {
        int64_t to = command_end(x);
        x->found.to_ns = to > x->found.to_ns ? to : x->found.to_ns;
    }
}

static struct sb_program
find(const struct sb_profile *p, const struct nodes *nodes, enum how how, struct sb_arena *a)
{
    struct looking x = {.p = p,
                        .found = {SB_NULL, SB_NULL, NULL, false},
                        .nodes = nodes,
                        .n_processes = sb_profile_rows(p, SB_T_process),
                        .how = how,
                        .command_node = SB_NULL};
    x.known = sb_zeroed_or_die((size_t)sb_profile_texts(p) + 1, 1);
    x.found.has = SB_NEW_N(a, uint8_t, x.n_processes + 1);
    look_at_processes(&x);
    look_at_slices(&x);
    find_start(&x);
    find_ends(&x);
    free(x.known);
    return x.found;
}

static struct sb_program
program_of(const struct sb_profile *p, const struct nodes *nodes, struct sb_arena *a)
{
    struct sb_program found = {SB_NULL, SB_NULL, NULL, false};
    for (enum how how = COMPILED; found.from_ns == SB_NULL && how <= COMMAND; how++)
        found = find(p, nodes, how, a);
    return found;
}

/* ---- the phases ---- */

static int64_t
within(int64_t at, int64_t low, int64_t high)
{
    return at < low ? low : at > high ? high : at;
}

static struct sb_phases
phases_of(int64_t span, int64_t start, int64_t end, int64_t program_ns, int64_t shutdown_ns)
{
    struct sb_phases f;
    f.known_ns = start == SB_NULL ? span : within(start, 0, span);
    f.end_ns = start == SB_NULL ? span : within(end == SB_NULL ? span : end, f.known_ns, span);
    f.program_ns = program_ns != SB_NULL ? within(program_ns, f.known_ns, f.end_ns) : f.known_ns;
    f.shutdown_ns = shutdown_ns != SB_NULL ? within(shutdown_ns, f.program_ns, f.end_ns) : f.end_ns;
    return f;
}

/* ---- once a profile ---- */

struct kept {
    struct sb_program program;
    struct sb_phases *phases;
};

static bool
make(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)e;
    struct kept *k = value;
    struct nodes n = nodes_of(p, a);
    int64_t span = sb_profile_span(p);
    k->program = program_of(p, &n, a);
    k->phases = SB_NEW_N(a, struct sb_phases, n.n + 1);
    for (uint64_t i = 0; i < n.n; i++) {
        k->phases[i] =
            phases_of(span, n.start[i], n.end[i], n.boots[i] ? k->program.from_ns : SB_NULL, n.shutdown[i]);
        k->phases[i].init = n.init[i];
    }
    return true;
}

static const struct kept *
kept_of(const struct sb_profile *p)
{
    static const struct sb_derived derived = {sizeof(struct kept), make, NULL};
    return sb_profile_derive(p, &derived, NULL);
}

const struct sb_program *
sb_program_of(const struct sb_profile *p)
{
    return &kept_of(p)->program;
}

const struct sb_phases *
sb_phases_of(const struct sb_profile *p)
{
    return kept_of(p)->phases;
}
