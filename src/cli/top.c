/* strobe top: what a running node does, as a live table (top_live.c) or as one reading: a short recording, analysed,
 * and a look at the processes that did most. */
#include "answer/reading.h"
#include "cli/cli.h"
#include "cli/profile.h"
#include "cli/recording.h"
#include "cli/top_live.h"
#include "engine/engine.h"
#include "live/attach/attach.h"
#include "live/attach/peer.h"
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int run(int argc, char **argv);
static const char *sort_column(size_t i);

struct request {
    bool once, force, elixir;
    const char *via;
    int64_t interval_ns;
    uint64_t limit;
    unsigned format, sort;
};

static const struct sb_option options[] = {
    {"--once", SB_OPT_FLAG, offsetof(struct request, once), NULL,
     "print one reading and end, in place of a live table"},
    {"--interval", SB_OPT_SPAN, offsetof(struct request, interval_ns), "T",
     "length of a window of the live table (2s), or of the reading (1s)"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json|csv",
     "with --once; json and csv: one table of schedulers, processes and groups (text)"},
    {"--sort", SB_OPT_CHOICE, offsetof(struct request, sort), "COL",
     "the column to sort by: core_ppm, gc_ppm, dirty_ppm, slices, sends or receives (core_ppm)",
     .word = sort_column},
    {"--limit", SB_OPT_U64, offsetof(struct request, limit), "N",
     "with --once: at most N processes and N groups (20); the node is asked about these processes alone", 1,
     1000},
    {"--via", SB_OPT_TEXT, offsetof(struct request, via), "CMD",
     "reach the node by this command of the shell, in place of TARGET, as `strobe attach --via` does"},
    {"--elixir", SB_OPT_FLAG, offsetof(struct request, elixir), NULL, "write names as Elixir does"},
    {"--force", SB_OPT_FLAG, offsetof(struct request, force), NULL,
     "read a node that is in trouble: long run queues, little memory, full tables"},
    {0}};

const struct sb_command sb_command_top = {
    .name = "top",
    .summary = "show what the processes of a running node do, with nothing installed there",
    .operands = "TARGET | --via CMD",
    .doc =
        "Shows what the schedulers, processes and groups of processes of a node do, window by window: share "
        "of a\n"
        "core, garbage collection, context switches, messages received and sent a second, and the length of "
        "the\n"
        "mailbox and the memory. TARGET is the name of the node, or the number of its operating system "
        "process.\n"
        "Groups are the processes with the same entry. -- stands for an unknown value.\n"
        "\n"
        "strobe stays attached while the table is shown, as `strobe attach` is, but writes no file. q or "
        "Ctrl-C\n"
        "ends it, and the node is as before. If the rings of the node cannot be read from here (another "
        "machine, a\n"
        "container, another user's node, --via), the node ends each window itself and sends a copy of its "
        "rings;\n"
        "the title says how long a window is, and how often one comes. ? lists the keys: sorting, filtering, "
        "freezing, and opening a "
        "process,\n"
        "with its stack and with the processes that send it most. NO_COLOR is honoured.\n"
        "\n"
        "--once records for a moment and prints one table instead. Its counts are those of the interval. "
        "The\n"
        "reading ends before the interval does if the node makes more than 5 M events or 64 MB of trace.",
    .example = "strobe top shop@here --sort receives",
    .option = options,
    .run = run,
};

enum { MAX_EVENTS = 5000000, MAX_BYTES = 64 << 20 };

static const char *
sort_column(size_t i)
{
    static const char *const name[] = {"core_ppm", "gc_ppm", "dirty_ppm", "slices", "sends", "receives"};
    return i < sizeof name / sizeof *name ? name[i] : NULL;
}

struct reading {
    const char *trace, *profile_path;
    struct sb_question q;
    struct sb_cli_profile profile;
    struct sb_ask ask;
    struct sb_table table;
};

/* ---- the analysis, in a thread, so that the node hears of us meanwhile */

struct analysis {
    const struct reading *of;
    struct sb_err e;
    bool ok;
    _Atomic bool done;
};

static void *
analyse(void *ctx)
{
    struct analysis *x = ctx;
    struct sb_engine_options o;
    struct sb_engine_summary summary;
    sb_engine_defaults(&o);
    o.messages = false;
    x->ok = sb_engine_analyze(&x->of->trace, 1, x->of->profile_path, &o, &summary, &x->e);
    x->done = true;
    return NULL;
}

static bool
await(struct analysis *x, struct sb_peer *node, struct sb_err *e)
{
    enum { SHORT_MS = 20 };
    bool ok = true;
    while (ok && !x->done) {
        struct pollfd p = {.fd = node->link.fd, .events = POLLIN};
        if (poll(&p, 1, SHORT_MS) > 0)
            ok = sb_peer_take(node, e);
        ok = ok && sb_peer_beat(node, e);
    }
    return ok;
}

static bool
run_analysis(const struct reading *r, struct sb_peer *node, struct sb_err *e)
{
    struct analysis x = {.of = r, .e = {.at_byte = SB_NO_BYTE}};
    pthread_t thread;
    if (pthread_create(&thread, NULL, analyse, &x) != 0)
        return sb_err_set(e, SB_ERR_SYSTEM, "no thread could be started");
    bool ok = await(&x, node, e);
    pthread_join(thread, NULL);
    if (ok && !x.ok)
        *e = x.e;
    return ok && x.ok;
}

/* ---- what the node says of the processes shown */

static bool
is_process(const union sb_cell *row)
{
    return sb_str_eq(row[SB_READING_KIND].s, SB_STR("process"));
}

static struct sb_str
pids_of(const struct sb_table *t)
{
    struct sb_str pids = {0};
    for (size_t i = 0; i < t->n_rows; i++) {
        const union sb_cell *row = &t->cell[i * t->n_columns];
        if (is_process(row))
            pids = sb_arena_printf(t->arena, "%.*s%s%.*s", SB_STR_ARG(pids), pids.n ? "," : "",
                                   SB_STR_ARG(row[SB_READING_PID].s));
    }
    return pids;
}

/* "MEMORY MAILBOX NAME"; empty: the process has ended */
static void
fill_in(union sb_cell *row, struct sb_str line)
{
    uint64_t memory, mailbox;
    if (sb_str_to_u64(sb_str_cut(&line, ' '), &memory) && sb_str_to_u64(sb_str_cut(&line, ' '), &mailbox)) {
        row[SB_READING_MEMORY].i = (int64_t)memory;
        row[SB_READING_MAILBOX].i = (int64_t)mailbox;
        if (row[SB_READING_NAME].s.n == 0 && line.n > 0)
            row[SB_READING_NAME].s = line;
    }
    if (row[SB_READING_NAME].s.n == 0)
        row[SB_READING_NAME].s = row[SB_READING_PID].s;
}

static bool
look(struct sb_table *t, struct sb_peer *node, struct sb_err *e)
{
    struct sb_str pids = pids_of(t), lines = {0};
    SB_TRY(pids.n == 0 || sb_peer_look(node, pids, &lines, e));
    for (size_t i = 0; i < t->n_rows; i++)
        if (is_process(&t->cell[i * t->n_columns]))
            fill_in(&t->cell[i * t->n_columns], sb_str_cut(&lines, '\n'));
    return true;
}

static bool
recorded(void *ctx, struct sb_peer *node, struct sb_err *e)
{
    struct reading *r = ctx;
    SB_TRY(run_analysis(r, node, e) && sb_cli_profile_open(&r->profile, r->profile_path, e));
    r->ask.profile = r->profile.profile;
    r->ask.sql = r->profile.sql;
    return sb_answer_reading.ask(&r->ask, &r->table, e) && look(&r->table, node, e);
}

/* ---- output */

static bool
print(const struct reading *r, enum sb_format format, struct sb_err *e)
{
    struct sb_out out;
    const struct sb_table *t = &r->table;
    SB_TRY(sb_out_open(&out, NULL, e));
    if (format == SB_FORMAT_TEXT) {
        sb_reading_write(&r->ask, t, sb_cli_width(STDOUT_FILENO), &out);
        return sb_out_close(&out, e);
    }
    for (size_t i = 0; r->q.elixir && i < t->n_rows * t->n_columns; i++)
        if (t->column[i % t->n_columns].type == SB_TEXT && t->cell[i].s.p)
            t->cell[i].s = sb_elixir_name(t->cell[i].s, true, r->ask.arena);
    sb_table_write(t, format, &out);
    return sb_out_close(&out, e);
}

static int
show(struct reading *r, const struct sb_attach_result *of, enum sb_format format)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    sb_cli_note_losses(r->profile.profile);
    if (of->trace.totals.stop == SB_STOP_EVENTS || of->trace.totals.stop == SB_STOP_BYTES)
        sb_cli_note(SB_STR("the node is so busy that the reading ended before its interval"));
    return print(r, format, &e) ? 0 : sb_cli_fail(&e);
}

static int
read_node(const char *target, const struct request *q, struct reading *r, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_attach_result of = {0};
    struct sb_record_options how = {
        .trace = r->trace,
        .what = {.classes = "procs,running,messages,gc", .buffer = 64 << 20, .max_ns = q->interval_ns},
        .max_events = MAX_EVENTS,
        .max_bytes = MAX_BYTES,
        .level = 1};
    struct sb_attach_options o = {
        .target = target, .via = q->via, .how = &how, .force = q->force, .recorded = recorded, .ctx = r};
    bool ok = sb_attach(&o, a, &of, &e);
    sb_recording_print_left(of.node, of.left.at, of.left.n);
    int code = !ok ? sb_cli_fail(&e) : show(r, &of, (enum sb_format)q->format);
    code = code == 0 && of.left.n ? 1 : code;
    if (r->profile.profile) {
        int damage = sb_cli_profile_close(&r->profile);
        code = code ? code : damage;
    }
    SB_VEC_FREE(&of.left);
    return code;
}

/* The trace and the profile are in a folder of their own, which goes when the reading is over. */
static int
once(const char *target, const struct request *q, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_folder folder;
    struct reading r = {.q = {.since_ns = SB_NULL,
                              .until_ns = SB_NULL,
                              .sort = sb_str_of(sort_column(q->sort)),
                              .limit = q->limit,
                              .elixir = q->elixir}};
    if (!sb_folder_begin(&folder, "strobe_attach", a, &e))
        return sb_cli_fail(&e);
    r.trace = sb_arena_printf(a, "%s/top.sbt", folder.path).p;
    r.profile_path = sb_arena_printf(a, "%s/top.sbp", folder.path).p;
    r.ask = (struct sb_ask){.q = &r.q, .arena = a};
    int code = read_node(target, q, &r, a);
    sb_folder_close(&folder);
    return code;
}

static int
live(const char *target, const struct request *q, struct sb_arena *a)
{
    static const enum sb_top_column_id column[] = {SB_TOP_CORE,     SB_TOP_GC,  SB_TOP_CORE,
                                                   SB_TOP_SWITCHES, SB_TOP_OUT, SB_TOP_IN};
    struct sb_top_live o = {target, q->via, q->interval_ns, column[q->sort], q->elixir, q->force};
    return sb_top_live(&o, a);
}

static int
run(int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct request r = {.interval_ns = SB_NULL, .limit = 20};
    if (!sb_cli_options(&sb_command_top, &r, &argc, argv, &e))
        return sb_cli_usage("top", "%s", e.what);
    if (argc > 1 || (argc == 0 && !r.via))
        return sb_cli_usage("top", argc ? "top takes one node" : "no node given");
    if (r.interval_ns == SB_NULL)
        r.interval_ns = r.once ? 1000000000 : 2000000000;
    if (r.interval_ns <= 0)
        return sb_cli_usage("top", "--interval takes a time longer than 0");
    if (!r.once && r.format != SB_FORMAT_TEXT)
        return sb_cli_usage("top", "--format is for one reading: add --once");
    if (!r.once && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
        return sb_cli_usage("top", "a live table needs a terminal: add --once for one reading");
    struct sb_arena a;
    sb_arena_init(&a);
    int code = r.once ? once(argc ? argv[0] : NULL, &r, &a) : live(argc ? argv[0] : NULL, &r, &a);
    sb_arena_close(&a);
    return code;
}
