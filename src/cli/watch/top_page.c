/* The lines of the live table's pages: help, and one process. */
#include "cli/watch/top_state.h"
#include "why/program/elixir.h"

static void add(struct sb_top_state *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void
add(struct sb_top_state *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    *SB_PUSH(&s->line) = sb_arena_vprintf(&s->page, fmt, ap);
    va_end(ap);
}

/* ---- help */

static void
make_help(struct sb_top_state *s)
{
    static const char *const keys[] = {
        "up down PgUp PgDn Home End   choose a row, and follow it",
        "Enter                        open the process, or the processes of the group",
        "g or Tab                     processes, or groups of one entry",
        "/                            filter names, pids and nodes; Enter keeps, Esc drops it",
        "f or Space                   freeze the table, or let it go on",
        "< >                          sort by the column to the left or right",
        "r                            reverse the order",
        "Esc                          go back: drop the filter, leave a page",
        "q or Ctrl-C                  quit; the node is as before",
    };
    add(s, "Keys");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        add(s, "  %s", keys[i]);
    add(s, "%s", "");
    add(s, "Columns, and the key that sorts by each");
    for (unsigned c = 0; c < SB_TOP_COLUMNS; c++)
        if (c != SB_TOP_NODE || s->nodes > 1)
            add(s, "  %c  %-6s %s", sb_top_column[c].key, sb_top_column[c].head, sb_top_column[c].doc);
    add(s, "%s", "");
    add(s, "Shares and rates are those of the last window. Memory and mailboxes of the");
    add(s, "processes in view are read once a window. A sweep over all others reads their");
    add(s, "mailboxes in half a minute, with more than 50,000 processes in longer, and");
    add(s, "their memory in every eighth sweep. -- stands for an unknown value, > for a sum");
    add(s, "over some processes of a group.");
}

/* ---- a process */

static const struct sb_watch *
watch_of(const struct sb_top_state *s)
{
    return &s->node[s->of.node].watch;
}

static struct sb_str
fact(const struct sb_top_state *s, const char *key)
{
    const struct sb_watch *w = watch_of(s);
    for (size_t i = 0; i < w->facts.n; i++)
        if (sb_str_eq(w->facts.at[i].key, sb_str_of(key)))
            return w->facts.at[i].value;
    return (struct sb_str){0};
}

/* A function as Elixir writes it, with what follows it: "m:f/1 (file:12)". */
static struct sb_str
function_text(struct sb_top_state *s, struct sb_str text)
{
    struct sb_str rest = text, f = sb_str_cut(&rest, ' ');
    if (sb_str_find(f, '/') == f.n)
        return text;
    return sb_arena_printf(&s->page, "%.*s%s%.*s", SB_STR_ARG(sb_elixir_name(f, s->view.elixir, &s->page)),
                           rest.n ? " " : "", SB_STR_ARG(rest));
}

static void
add_fact(struct sb_top_state *s, const char *name, const char *key)
{
    struct sb_str value = fact(s, key);
    if (value.n > 0)
        add(s, "%-18s%.*s", name, SB_STR_ARG(function_text(s, value)));
}

static void
add_window(struct sb_top_state *s)
{
    static const enum sb_top_column_id shown[] = {SB_TOP_CORE, SB_TOP_GC,      SB_TOP_SWITCHES, SB_TOP_IN,
                                                  SB_TOP_OUT,  SB_TOP_MAILBOX, SB_TOP_MEMORY};
    struct sb_str line = {0};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char value[24];
        sb_top_value_text(value, sizeof value, shown[i], s->of.value[shown[i]]);
        line =
            sb_arena_printf(&s->page, "%.*s%s %s   ", SB_STR_ARG(line), sb_top_column[shown[i]].head, value);
    }
    *SB_PUSH(&s->line) = line;
}

static void
add_senders(struct sb_top_state *s)
{
    enum { SHOWN = 10 };
    const struct sb_tally *t = &watch_of(s)->tally;
    double seconds = (double)(t->last_to_ns - t->last_from_ns) / 1e9;
    add(s, "%s", "");
    if (t->watched_ns > t->last_from_ns) {
        add(s, "Messages to it, by sender: -- (from the next window on)");
        return;
    }
    add(s, "Messages to it in this window, by sender%s", t->last_senders.n ? "" : ": none");
    for (size_t i = 0; i < t->last_senders.n && i < SHOWN; i++) {
        const struct sb_tally_sender *from = &t->last_senders.at[i];
        struct sb_top_value v = {(int64_t)((double)from->messages * 100 / (seconds > 0 ? seconds : 1)),
                                 false};
        char rate[24];
        sb_top_value_text(rate, sizeof rate, SB_TOP_IN, v);
        add(s, "  %7s/s  %.*s", rate, SB_STR_ARG(sb_top_who(&s->rows, s->of.node, t, from->who)));
    }
    if (t->last_senders.n > SHOWN)
        add(s, "  and %zu more", t->last_senders.n - SHOWN);
}

static void
add_stack(struct sb_top_state *s)
{
    const struct sb_watch *w = watch_of(s);
    add(s, "%s", "");
    add(s, "Stack, innermost first");
    for (size_t i = 0; i < w->facts.n; i++)
        if (sb_str_eq(w->facts.at[i].key, SB_STR("current_stacktrace")))
            add(s, "  %.*s", SB_STR_ARG(function_text(s, w->facts.at[i].value)));
}

static void
make_process(struct sb_top_state *s)
{
    static const struct {
        const char *name, *key;
    } facts[] = {{"status", "status"},
                 {"current function", "current_function"},
                 {"initial call", "entry"},
                 {"spawned with", "initial_call"},
                 {"mailbox", "message_queue_len"},
                 {"memory", "memory"},
                 {"heap words", "total_heap_size"},
                 {"stack words", "stack_size"},
                 {"reductions", "reductions"},
                 {"priority", "priority"},
                 {"trap_exit", "trap_exit"},
                 {"links", "links"},
                 {"monitors", "monitors"},
                 {"monitored by", "monitored_by"},
                 {"group leader", "group_leader"}};
    struct sb_str node = s->nodes > 1 ? s->node[s->of.node].name : (struct sb_str){0};
    add(s, "%.*s%s%.*s", SB_STR_ARG(node), node.n ? " " : "",
        SB_STR_ARG(sb_top_who(&s->rows, s->of.node, &watch_of(s)->tally, s->opened)));
    add_window(s);
    add(s, "%s", "");
    if (watch_of(s)->facts.n == 0)
        add(s, "-- (the node has not answered yet)");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        add_fact(s, facts[i].name, facts[i].key);
    add_senders(s);
    add_stack(s);
}

void
sb_top_make_page(struct sb_top_state *s)
{
    sb_arena_reset(&s->page);
    s->line.n = 0;
    if (s->mode == SB_TOP_HELP)
        make_help(s);
    else
        make_process(s);
}
