#include "why/otp.h"
#include "base/vec.h"

static const char *const modules[] = {
#include "why/otp_modules.def"
};
static const char *const prefixes[] = {"wx", "strobe", "Elixir.Strobe", "Elixir.Mix.Tasks.Strobe"};
static const char *const calls[] = {"gen:do_call/4", "gen:do_call/5", "gen_server:rec_nodes/2",
                                    "io:wait_io_mon_reply/2", "erpc:call/5"};

static const char *const loops[] = {"gen_server:loop",
                                    "gen_statem:loop",
                                    "gen_fsm:loop",
                                    "gen_event:fetch_msg",
                                    "proc_lib:hibernate",
                                    "erlang:hibernate",
                                    "application_master:main_loop",
                                    "application_master:loop_it"};

/* The module of a function: 'Elixir.Enum':map/2 is in Elixir.Enum. */
static struct sb_str
module_of(struct sb_str mfa)
{
    if (mfa.n > 0 && mfa.p[0] == '\'') {
        struct sb_str rest = sb_str_sub(mfa, 1, SIZE_MAX);
        return sb_str_cut(&rest, '\'');
    }
    return sb_str_cut(&mfa, ':');
}

bool
sb_is_otp(struct sb_str mfa)
{
    struct sb_str module = module_of(mfa);
    size_t from = 0, to = sizeof modules / sizeof *modules;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (sb_str_starts(module, sb_str_of(prefixes[i])))
            return true;
    while (from < to) {
        size_t mid = (from + to) / 2;
        int c = sb_str_cmp(module, sb_str_of(modules[mid]));
        if (c == 0)
            return true;
        if (c < 0)
            to = mid;
        else
            from = mid + 1;
    }
    return false;
}

bool
sb_is_call(struct sb_str mfa)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (sb_str_eq(mfa, sb_str_of(calls[i])))
            return true;
    return false;
}

bool
sb_is_loop(struct sb_str mfa)
{
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (sb_str_starts(mfa, sb_str_of(loops[i])))
            return true;
    return false;
}

bool
sb_is_sleep(struct sb_str mfa)
{
    return sb_str_eq(mfa, SB_STR("timer:sleep/1")) || sb_str_eq(mfa, SB_STR("'Elixir.Process':sleep/1"));
}

/* ---- the part of a program ---- */

enum { COMMAND_REQUESTS = 50 /* to load the code that a command line needs: no more than these */ };

struct looking {
    const struct sb_profile *p;
    struct sb_program found;
    uint64_t n_processes;
    enum how {
        COMPILED,
        INTERPRETED,
        COMMAND
    } how;           /* what counts as code of a program: see sb_program_find */
    uint8_t *known;  /* by text id: 1 code of a program, 2 not */
    int64_t user_ns; /* start of the process `user`, near the end of the boot; SB_NULL: not seen */
    struct command {
        int64_t id, from_ns; /* runs the command line; its first slice after that */
    } command;
    struct last {
        int64_t slice, before; /* ends of the last two slices; SB_NULL: there is none */
    } * last;                  /* by process.id */
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
saw(struct looking *x, int64_t process, int64_t from)
{
    if (process < 1 || (uint64_t)process > x->n_processes)
        return;
    x->found.has[process] = 1;
    if (from != SB_NULL && (x->found.from_ns == SB_NULL || from < x->found.from_ns))
        x->found.from_ns = from;
}

/* init boots, and then runs its -eval, -s and -run, in a process without a name. */
static bool
runs_command(const struct looking *x, int64_t id, int64_t parent)
{
    uint64_t row = (uint64_t)id - 1;
    if (parent < 1 || (uint64_t)parent > x->n_processes)
        return false;
    struct sb_str by = sb_profile_text(
                      x->p, sb_profile_cell(x->p, SB_T_process, SB_C_process__name, (uint64_t)parent - 1)),
                  entry =
                      sb_profile_text(x->p, sb_profile_cell(x->p, SB_T_process, SB_C_process__entry, row));
    return sb_str_eq(by, SB_STR("init")) && sb_str_eq(entry, SB_STR("erlang:apply/2")) &&
           sb_profile_cell(x->p, SB_T_process, SB_C_process__name, row) == SB_NULL;
}

/* Tests run in processes of ExUnit, and one that only waits shows no function of its own. */
static bool
runs_tests(const struct looking *x, int64_t entry)
{
    return sb_str_eq(module_of(sb_profile_text(x->p, entry)), SB_STR("Elixir.ExUnit.Runner"));
}

static void
look_at_processes(struct looking *x)
{
    struct sb_scan s;
    sb_scan_open(&s, x->p, SB_T_process);
    unsigned id = sb_scan_want(&s, SB_C_process__id), entry = sb_scan_want(&s, SB_C_process__entry),
             mfa = sb_scan_want(&s, SB_C_process__spawn_mfa), start = sb_scan_want(&s, SB_C_process__start),
             parent = sb_scan_want(&s, SB_C_process__parent),
             seen = sb_scan_want(&s, SB_C_process__first_seen), name = sb_scan_want(&s, SB_C_process__name);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            bool commands = runs_command(x, s.value[id][i], s.value[parent][i]);
            if (is_program(x, s.value[entry][i]) || is_program(x, s.value[mfa][i]) ||
                runs_tests(x, s.value[entry][i]))
                saw(x, s.value[id][i], s.value[start][i]);
            else if (x->how == COMMAND && commands)
                saw(x, s.value[id][i], s.value[seen][i]);
            if (commands && x->command.id == 0)
                x->command.id = s.value[id][i];
            if (x->user_ns == SB_NULL && sb_str_eq(sb_profile_text(x->p, s.value[name][i]), SB_STR("user")))
                x->user_ns = s.value[seen][i];
        }
    sb_scan_close(&s);
}

/* Slices of a process come in the order of time. */
static void
ran_until(struct looking *x, int64_t process, int64_t end)
{
    if (process < 1 || (uint64_t)process > x->n_processes)
        return;
    struct last *l = &x->last[process];
    l->before = l->slice;
    l->slice = end;
}

static void
begin_command(struct looking *x, int64_t process, int64_t from)
{
    struct command *c = &x->command;
    if (process == c->id && x->user_ns != SB_NULL && from > x->user_ns && c->from_ns == SB_NULL)
        c->from_ns = from;
}

static void
look_at_slices(struct looking *x)
{
    struct sb_scan s;
    sb_scan_open(&s, x->p, SB_T_slice);
    unsigned process = sb_scan_want(&s, SB_C_slice__process), start = sb_scan_want(&s, SB_C_slice__start),
             in = sb_scan_want(&s, SB_C_slice__in_function), out = sb_scan_want(&s, SB_C_slice__out_function),
             dur = sb_scan_want(&s, SB_C_slice__dur);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            if (is_program(x, s.value[in][i]) || is_program(x, s.value[out][i]))
                saw(x, s.value[process][i], s.value[start][i]);
            begin_command(x, s.value[process][i], s.value[start][i]);
            ran_until(x, s.value[process][i], s.value[start][i] + s.value[dur][i]);
        }
    sb_scan_close(&s);
}

/* A process that was asked to end does nothing for the program in its last slice: a server lives on until the node has
 * stopped. */
static int64_t
end_of_work(const struct looking *x, int64_t process, int64_t reason, int64_t end)
{
    struct sb_str text = sb_profile_text(x->p, reason);
    bool was_ended = sb_str_eq(text, SB_STR("killed")) || sb_str_eq(text, SB_STR("shutdown"));
    int64_t before = x->last[process].before;
    return was_ended && before != SB_NULL ? before : end;
}

static void
find_end(struct looking *x)
{
    struct sb_scan s;
    sb_scan_open(&s, x->p, SB_T_process);
    unsigned id = sb_scan_want(&s, SB_C_process__id), end = sb_scan_want(&s, SB_C_process__end),
             seen = sb_scan_want(&s, SB_C_process__last_seen),
             reason = sb_scan_want(&s, SB_C_process__exit_reason);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            int64_t process = s.value[id][i],
                    to = s.value[end][i] != SB_NULL ? s.value[end][i] : s.value[seen][i];
            if (process < 1 || (uint64_t)process > x->n_processes || !x->found.has[process] || to == SB_NULL)
                continue;
            to = end_of_work(x, process, s.value[reason][i], to);
            if (x->found.to_ns == SB_NULL || to > x->found.to_ns)
                x->found.to_ns = to;
        }
    sb_scan_close(&s);
}

/* The messages that the process sent within [from, to). */
static int64_t
sent_within(const struct looking *x, int64_t process, int64_t from, int64_t to)
{
    int64_t n = 0;
    struct sb_scan s;
    sb_scan_open(&s, x->p, SB_T_message);
    sb_scan_where(&s, SB_C_message__sent, from, to - 1);
    unsigned sender = sb_scan_want(&s, SB_C_message__sender), sent = sb_scan_want(&s, SB_C_message__sent);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            n += s.value[sender][i] == process && s.value[sent][i] >= from && s.value[sent][i] < to;
    sb_scan_close(&s);
    return n;
}

/* A program that loads code or waits for OTP at first shows no function of its own meanwhile. Erl needs some 15
 * requests to load erl_eval and the module of the program, and escript some 35 to compile a script. More are the
 * program's doing, and so is a time that is longer than the rest. */
static void
include_command(struct looking *x)
{
    const struct command *c = &x->command;
    const struct sb_program *p = &x->found;
    bool is_program = c->id > 0 && p->has[c->id] && p->from_ns != SB_NULL && p->to_ns != SB_NULL;
    if (!is_program || c->from_ns == SB_NULL || c->from_ns >= p->from_ns)
        return;
    if (p->from_ns - c->from_ns > p->to_ns - p->from_ns ||
        sent_within(x, c->id, c->from_ns, p->from_ns) > COMMAND_REQUESTS)
        saw(x, c->id, c->from_ns);
}

static struct sb_program
find(const struct sb_profile *p, enum how how, struct sb_arena *a)
{
    struct looking x = {.p = p,
                        .found = {SB_NULL, SB_NULL, NULL},
                        .n_processes = sb_profile_rows(p, SB_T_process),
                        .how = how,
                        .user_ns = SB_NULL,
                        .command = {0, SB_NULL}};
    x.known = calloc((size_t)sb_profile_texts(p) + 1, 1);
    if (!x.known)
        sb_out_of_memory((size_t)sb_profile_texts(p));
    x.found.has = SB_NEW_N(a, uint8_t, x.n_processes + 1);
    x.last = SB_NEW_N(a, struct last, x.n_processes + 1);
    for (uint64_t i = 0; i <= x.n_processes; i++)
        x.last[i] = (struct last){SB_NULL, SB_NULL};
    look_at_processes(&x);
    look_at_slices(&x);
    find_end(&x);
    include_command(&x);
    free(x.known);
    return x.found;
}

struct sb_program
sb_program_find(const struct sb_profile *p, struct sb_arena *a)
{
    struct sb_program found = {SB_NULL, SB_NULL, NULL};
    for (enum how how = COMPILED; found.from_ns == SB_NULL && how <= COMMAND; how++)
        found = find(p, how, a);
    return found;
}
