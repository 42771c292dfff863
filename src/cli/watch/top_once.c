#include "cli/watch/top.h"
#include "base/signals.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include <unistd.h>

/* A reading may cost the node a core; a table that stays, a hundredth of one. */
enum { STEP_MS = 20, BUFFER = 64 << 20, PERMILLE = 1000, PATIENCE_S = 20 };

struct once {
    struct sb_top_node node;
    const struct sb_top_once *o;
    struct sb_arena *arena; /* of the node */
    atomic_bool *stop;      /* a signal, which only one of the nodes sees, ends the windows of all */
    struct sb_watch watch;
    unsigned schedulers;
    struct sb_str name;
    struct sb_table table;
    uint64_t lost;
    int64_t interval_ns;
    bool cut, silent; /* the window ended early; the node did not answer about its processes */
};

/* ---- the window, and what the node knows about the processes of the table */

/* Ctrl-C ends the window, and what it has is printed; a window that has only begun would show chance. */
static void
await(struct once *x, const struct sb_attached *of)
{
    enum { SHORTEST_NS = 100000000 };
    int64_t *interval_ns = &x->watch.windows.interval_ns;
    struct pollfd p[3] = {{.fd = of->signals, .events = POLLIN}};
    poll(p, 1 + sb_attached_poll(of, p + 1), STEP_MS);
    if (sb_signals_ask_to_stop(of->signals))
        atomic_store(x->stop, true);
    if (atomic_load(x->stop) && *interval_ns > SHORTEST_NS)
        *interval_ns = SHORTEST_NS;
}

static bool
end_window(struct once *x, const struct sb_attached *of, struct sb_err *e)
{
    enum { NEVER_S = 1000000 };
    while (x->watch.windows.n == 0) {
        SB_TRY(sb_watch_step(&x->watch, e));
        await(x, of);
    }
    x->watch.windows.interval_ns = (int64_t)NEVER_S * 1000000000;
    return true;
}

/* Waits until the node has answered about the processes in view, or until the first sweep has seen all processes. Not
 * forever: a process in a NIF delays the answers. */
static bool
wait_for_answers(struct once *x, const struct sb_attached *of, bool in_view, struct sb_err *e)
{
    if (!sb_watch_asks(&x->watch))
        return true;
    uint32_t before = x->watch.answers;
    int64_t until = sb_clock_ns() + (int64_t)PATIENCE_S * 1000000000;
    while (!x->silent && (in_view ? x->watch.answers == before : !x->watch.swept)) {
        SB_TRY(sb_watch_step(&x->watch, e));
        await(x, of);
        x->silent = sb_clock_ns() > until;
    }
    return true;
}

/* ---- rows */

static int64_t
value_of(const struct sb_tally_sums *s, enum sb_reading_column c)
{
    switch (c) {
    case SB_READING_GC:
        return s->gc_ns;
    case SB_READING_DIRTY:
        return s->dirty_ns;
    case SB_READING_SLICES:
        return s->slices;
    case SB_READING_SENDS:
        return s->sends;
    case SB_READING_RECEIVES:
        return s->receives;
    default:
        return s->core_ns;
    }
}

static union sb_cell *
add_row(struct once *x, const char *kind, const struct sb_tally_sums *s)
{
    union sb_cell *row = sb_table_row(&x->table);
    for (unsigned c = SB_READING_CORE; c <= SB_READING_RECEIVES; c++) {
        row[c].i = value_of(s, (enum sb_reading_column)c);
        if (c <= SB_READING_DIRTY)
            row[c].i = x->interval_ns > 0 ? row[c].i * 1000000 / x->interval_ns : SB_NULL;
    }
    row[SB_READING_KIND].s = sb_str_of(kind);
    row[SB_READING_MAILBOX].i = row[SB_READING_MEMORY].i = row[SB_READING_PROCESSES].i = SB_NULL;
    row[SB_READING_INTERVAL].i = x->interval_ns;
    return row;
}

static void
add_scheduler(struct once *x, const char *kind, unsigned number, const struct sb_tally_sums *s)
{
    union sb_cell *row = add_row(x, "scheduler", s);
    row[SB_READING_NAME].s = sb_arena_printf(x->arena, "%s%u", kind, number);
    row[SB_READING_DIRTY].i = row[SB_READING_SENDS].i = row[SB_READING_RECEIVES].i = SB_NULL;
}

static const struct sb_tally_sums *
sums_of(const struct sb_tally *t, sb_lane lane)
{
    static const struct sb_tally_sums none;
    for (size_t i = 0; i < t->lane.n; i++)
        if (t->lane.at[i].lane == lane)
            return &t->lane.at[i].last;
    return &none;
}

static void
add_dirty(struct once *x, enum sb_lane_kind kind, const char *name)
{
    const struct sb_tally *t = &x->watch.tally;
    unsigned last = 0;
    for (size_t i = 0; i < t->lane.n; i++)
        if (sb_lane_kind(t->lane.at[i].lane) == kind && sb_lane_number(t->lane.at[i].lane) > last)
            last = sb_lane_number(t->lane.at[i].lane);
    for (unsigned n = 1; n <= last; n++) {
        const struct sb_tally_sums *s = sums_of(t, sb_lane_make(kind, n));
        if (s->slices > 0)
            add_scheduler(x, name, n, s);
    }
}

static void
add_schedulers(struct once *x)
{
    for (unsigned n = 1; n <= x->schedulers; n++)
        add_scheduler(x, "", n, sums_of(&x->watch.tally, sb_lane_make(SB_LANE_NORMAL, n)));
    add_dirty(x, SB_LANE_DIRTY_CPU, "dirty cpu ");
    add_dirty(x, SB_LANE_DIRTY_IO, "dirty io ");
}

struct item { /* a process, or a group */
    struct sb_tally_sums sums;
    sb_actor who; /* 0: a group */
    uint32_t entry;
    int64_t processes;
};

struct items {
    SB_VEC(struct item) of;
};

/* The largest first. */
static int
compare(const void *pa, const void *pb, void *ctx)
{
    const struct item *a = pa, *b = pb;
    const struct once *x = ctx;
    int64_t m = value_of(&a->sums, x->o->sort), n = value_of(&b->sums, x->o->sort);
    if (m != n)
        return m < n ? 1 : -1;
    return a->who != b->who ? (a->who > b->who) - (a->who < b->who)
                            : (a->entry > b->entry) - (a->entry < b->entry);
}

static void
sort_and_limit(struct once *x, struct items *l)
{
    if (l->of.n > 1)
        qsort_r(l->of.at, l->of.n, sizeof *l->of.at, compare, x);
    if (x->o->limit > 0 && l->of.n > x->o->limit)
        l->of.n = x->o->limit;
}

/* The processes that did something. */
static void
list_processes(struct once *x, struct items *l)
{
    const struct sb_tally *t = &x->watch.tally;
    for (size_t i = 0; i < t->process.n; i++) {
        const struct sb_tally_process *p = &t->process.at[i];
        if (p->last.core_ns + p->last.slices + p->last.sends + p->last.receives > 0)
            *SB_PUSH(&l->of) = (struct item){.sums = p->last, .who = p->who};
    }
    sort_and_limit(x, l);
}

static void
list_groups(struct once *x, struct items *l)
{
    const struct sb_tally *t = &x->watch.tally;
    struct sb_map place = {0};
    for (size_t i = 0; i < t->process.n; i++) {
        uint32_t entry = t->process.at[i].entry;
        struct item *group = SB_AT_KEY(&place, entry, &l->of, .entry = entry);
        group->processes++;
        sb_tally_sums_add(&group->sums, &t->process.at[i].last);
    }
    sb_map_close(&place);
    sort_and_limit(x, l);
}

static struct sb_str
entry_of(struct once *x, uint32_t entry)
{
    return entry ? sb_names_print(x->watch.names, entry, x->arena) : (struct sb_str){0};
}

/* The registered name, the label, the entry or the pid; all are copied, since the names go with the watch. */
static struct sb_str
name_of(struct once *x, const struct sb_tally_process *p, struct sb_str pid, struct sb_str entry)
{
    if (p && p->name)
        return sb_arena_str(x->arena, sb_names_str(x->watch.names, p->name));
    if (p && p->label)
        return sb_arena_str(x->arena, sb_str_of(p->label));
    return entry.n ? entry : pid;
}

static int64_t
known(int64_t v)
{
    return v == SB_TALLY_UNKNOWN ? SB_NULL : v;
}

static void
add_processes(struct once *x, const struct items *l)
{
    for (size_t i = 0; i < l->of.n; i++) {
        union sb_cell *row = add_row(x, "process", &l->of.at[i].sums);
        const struct sb_tally_process *p = sb_tally_find(&x->watch.tally, l->of.at[i].who);
        row[SB_READING_PID].s = sb_names_actor(x->watch.names, l->of.at[i].who, x->arena);
        row[SB_READING_ENTRY].s = entry_of(x, p ? p->entry : 0);
        row[SB_READING_NAME].s = name_of(x, p, row[SB_READING_PID].s, row[SB_READING_ENTRY].s);
        if (p && !p->ended) {
            row[SB_READING_MAILBOX].i = known(p->mailbox);
            row[SB_READING_MEMORY].i = known(p->memory);
        }
    }
}

static void
add_groups(struct once *x, const struct items *l)
{
    for (size_t i = 0; i < l->of.n; i++) {
        union sb_cell *row = add_row(x, "group", &l->of.at[i].sums);
        row[SB_READING_NAME].s = row[SB_READING_ENTRY].s = entry_of(x, l->of.at[i].entry);
        row[SB_READING_PROCESSES].i = l->of.at[i].processes;
    }
}

static bool
show_processes(struct once *x, const struct sb_attached *of, const struct items *l, struct sb_err *e)
{
    SB_SCOPED SB_VEC(sb_actor) who = {0};
    for (size_t i = 0; i < l->of.n; i++)
        *SB_PUSH(&who) = l->of.at[i].who;
    sb_watch_show(&x->watch, who.at, who.n);
    return who.n == 0 || wait_for_answers(x, of, true, e);
}

/* Whatever ends meanwhile keeps what it did in the window. */
static bool
read_table(struct once *x, const struct sb_attached *of, struct sb_err *e)
{
    struct items processes = {0}, groups = {0};
    const struct sb_tally *t = &x->watch.tally;
    SB_TRY(end_window(x, of, e) && wait_for_answers(x, of, false, e));
    x->lost = x->watch.windows.lost;
    x->interval_ns = t->last_to_ns - t->last_from_ns;
    x->cut = x->watch.windows.paused;
    list_processes(x, &processes);
    list_groups(x, &groups);
    bool ok = show_processes(x, of, &processes, e);
    sb_reading_init(&x->table, x->arena);
    add_schedulers(x);
    add_processes(x, &processes);
    add_groups(x, &groups);
    SB_VEC_FREE(&processes.of);
    SB_VEC_FREE(&groups.of);
    return ok;
}

static bool
watch(void *ctx, const struct sb_attached *of, struct sb_err *e)
{
    struct once *x = ctx;
    struct sb_watch_options how = {.interval_ns = x->o->interval_ns, .permille = PERMILLE, .hurries = true};
    SB_TRY(sb_watch_open(&x->watch, of, &how, e));
    sb_beside_learn(&x->watch, of, &x->node.at, x->arena);
    x->name = of->name;
    x->schedulers = sb_watch_schedulers(&x->watch, of);
    bool ok = read_table(x, of, e);
    sb_watch_close(&x->watch);
    return ok;
}

/* ---- output */

static bool
print(const struct sb_top_once *o, const struct sb_table *t, int64_t interval_ns, struct sb_err *e)
{
    struct sb_out out;
    SB_TRY(sb_out_open(&out, NULL, e));
    if (o->format == SB_FORMAT_TEXT) {
        const struct sb_question q = {
            .since_ns = SB_NULL,
            .until_ns = SB_NULL,
            .sort = sb_str_of(t->column[t->n_columns - SB_READING_COLUMNS + o->sort].name),
            .elixir = o->elixir,
        };
        sb_reading_write(&q, t, interval_ns, sb_cli_width(STDOUT_FILENO), &out);
    } else {
        if (o->elixir)
            sb_answer_name_as_elixir(t, t->arena);
        sb_table_write(t, o->format, &out);
    }
    return sb_out_close(&out, e);
}

static void
note(const struct once *x, const char *text)
{
    const char *between = x->o->nodes.n > 1 ? ": " : "";
    struct sb_str node = *between ? x->name : (struct sb_str){0};
    sb_cli_note(sb_arena_printf(x->arena, "%.*s%s%s", SB_STR_ARG(node), between, text));
}

static void
print_notes(const struct once *x)
{
    if (x->lost > 0)
        note(x, sb_arena_printf(x->arena, "%llu events were lost: the figures are too low",
                                (unsigned long long)x->lost)
                    .p);
    if (x->node.at.rings)
        note(x, "a recorder records this node: its rings were read, and mailboxes and memory are unknown");
    if (x->cut)
        note(x, "the node is so busy that the reading ended before its interval");
    if (x->silent)
        note(x, "a process does not answer: some names, mailboxes and memories are unknown");
}

/* Waits for the nodes, and prints one table of those that could be read. */
static int
show(struct once *x, size_t n, struct sb_arena *a)
{
    const struct sb_top_once *o = x->o;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    SB_SCOPED SB_VEC(struct sb_reading) of = {0};
    struct sb_table all;
    int64_t interval_ns = 0;
    int code = 0;
    for (size_t i = 0; i < n; i++) {
        int ended = sb_top_node_end(&x[i].node);
        code = ended > code ? ended : code;
        if (!x[i].node.ok)
            continue;
        print_notes(&x[i]);
        *SB_PUSH(&of) = (struct sb_reading){x[i].name, x[i].table};
        interval_ns = x[i].interval_ns > interval_ns ? x[i].interval_ns : interval_ns;
    }
    if (o->nodes.n > 1)
        sb_reading_of_nodes(&all, a, of.at, of.n, o->sort, o->limit);
    else if (of.n)
        all = of.at[0].table;
    if (of.n && !print(o, &all, interval_ns, &e))
        code = sb_cli_fail(&e);
    return code;
}

int
sb_top_once(const struct sb_top_once *o, struct sb_arena *a)
{
    size_t n = o->nodes.n ? o->nodes.n : 1; /* by a command */
    struct once *x = sb_zeroed_or_die(n, sizeof *x);
    atomic_bool stop = false;
    for (size_t i = 0; i < n; i++) {
        x[i].o = o;
        x[i].arena = &x[i].node.arena;
        x[i].stop = &stop;
        x[i].node.attach = (struct sb_attach_options){.watch = watch, .ctx = &x[i]};
        sb_top_node_begin(&x[i].node, &o->nodes, i, BUFFER);
    }
    int code = show(x, n, a);
    for (size_t i = 0; i < n; i++)
        sb_top_node_free(&x[i].node);
    free(x);
    return code;
}
