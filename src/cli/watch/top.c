/* strobe top: what a running node does, as a live table (top_live.c), or as its first window (top_once.c). */
#include "cli/frame/cli.h"
#include "cli/watch/top.h"
#include <unistd.h>

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
     "the column to sort by: core, gc, dirty, slices, sends or receives, in the live table also mailbox or "
     "memory (core)",
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

SB_COMMAND(top) = {
    .name = "top",
    .summary = "show what the processes of a running node do, with nothing installed there",
    .operands = "TARGET... | --via CMD",
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
        "ends it, and the node is as before. Beside a recorder of strobe it reads the recorder's rings, and "
        "mailboxes and memory are unknown. If the rings of the node cannot be read from here (another "
        "machine, a\n"
        "container, another user's node, --via), the node ends each window itself and sends a copy of its "
        "rings;\n"
        "the title says how long a window is, and how often one comes. ? lists the keys: sorting, filtering, "
        "freezing, and opening a process,\n"
        "with its stack and with the processes that send it most. NO_COLOR is honoured.\n"
        "\n"
        "Several nodes are one table, with a column for the node. A node that refuses or ends is named in a "
        "line,\n"
        "and the others are shown.\n"
        "\n"
        "--once prints the first window and ends. Its counts are those of the interval, which ends early\n"
        "if the events cost the node more than a core.",
    .example = "strobe top shop@here --sort receives",
    .option = options,
    .run = run,
};

/* The column of each word. --once knows mailboxes and memory of the rows that it prints only: it has no such order. */
static const struct order {
    const char *word;
    enum sb_top_column_id live;
    enum sb_reading_column once;
} orders[] = {
    {"core", SB_TOP_CORE, SB_READING_CORE},          {"gc", SB_TOP_GC, SB_READING_GC},
    {"dirty", SB_TOP_CORE, SB_READING_DIRTY},        {"slices", SB_TOP_SWITCHES, SB_READING_SLICES},
    {"sends", SB_TOP_OUT, SB_READING_SENDS},         {"receives", SB_TOP_IN, SB_READING_RECEIVES},
    {"mailbox", SB_TOP_MAILBOX, SB_READING_COLUMNS}, {"memory", SB_TOP_MEMORY, SB_READING_COLUMNS},
    {"core_ppm", SB_TOP_CORE, SB_READING_CORE},      {"gc_ppm", SB_TOP_GC, SB_READING_GC},
    {"dirty_ppm", SB_TOP_CORE, SB_READING_DIRTY},
};

static const char *
sort_column(size_t i)
{
    return i < sizeof orders / sizeof *orders ? orders[i].word : NULL;
}

static int
once(const struct sb_top_target *nodes, const struct request *q, struct sb_arena *a)
{
    struct sb_top_once o = {.nodes = *nodes,
                            .interval_ns = q->interval_ns,
                            .limit = q->limit,
                            .sort = orders[q->sort].once,
                            .format = (enum sb_format)q->format,
                            .elixir = q->elixir};
    return sb_top_once(&o, a);
}

static int
live(const struct sb_top_target *nodes, const struct request *q)
{
    struct sb_top_live o = {*nodes, q->interval_ns, orders[q->sort].live, q->elixir};
    return sb_top_live(&o);
}

static int
run(int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct request r = {.interval_ns = SB_NULL, .limit = 20};
    if (!sb_cli_options(&sb_command_top, &r, &argc, argv, &e))
        return sb_cli_usage("top", "%s", e.what);
    if (argc == 0 && !r.via)
        return sb_cli_usage("top", "no node given");
    if (argc > 1 && r.via)
        return sb_cli_usage("top", "--via reaches one node");
    if (r.interval_ns == SB_NULL)
        r.interval_ns = r.once ? 1000000000 : 2000000000;
    if (r.interval_ns <= 0)
        return sb_cli_usage("top", "--interval takes a time longer than 0");
    if (r.once && orders[r.sort].once == SB_READING_COLUMNS)
        return sb_cli_usage("top",
                            "--once asks the node about the rows it prints only, so it cannot sort by %s",
                            orders[r.sort].word);
    if (!r.once && r.format != SB_FORMAT_TEXT)
        return sb_cli_usage("top", "--format is for one reading: add --once");
    if (!r.once && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
        return sb_cli_usage("top", "a live table needs a terminal: add --once for one reading");
    SB_ARENA(a);
    const struct sb_top_target nodes = {(const char *const *)argv, (size_t)argc, r.via, r.force};
    return r.once ? once(&nodes, &r, &a) : live(&nodes, &r);
}
