/*
 * Why the trace of a flight recorder was written: the marks that no process set are its conditions, in the words of the
 * drain (live/drain/trigger.c), and the stacks of the processes that these are about, in the words of the node
 * (strobe_flight.erl), which begin with the process. A condition about a process has a range of time of its own:
 *
 *     the mailbox of <0.7.0> has ...         since its mailbox was seen empty
 *     a call of <0.7.0> to stock takes ...   since the request, the last message that the client sent
 *     <0.7.0> did not yield for ...          since it was scheduled in
 */
#include "answer/facts.h"
#include "answer/summary_row.h"

struct cause {
    int64_t at_ns;
    struct sb_str text, pid;
    int64_t process; /* SB_NULL: it is about none that is known */
};

static bool
ask_about(const struct sb_ask *ask, const struct cause *c, const char *sql, struct sb_table *t,
          struct sb_err *e)
{
    const struct sb_sql_value value[] = {{.name = ":at", .i = c->at_ns},
                                         {.name = ":process", .i = c->process},
                                         {.name = ":pid", .is_text = true, .s = c->pid}};
    return sb_sql_ask(ask->sql, sb_str_of(sql), value, sizeof value / sizeof *value, NULL, ask->arena, t, e);
}

static bool
number(const struct sb_ask *ask, const struct cause *c, const char *sql, int64_t *out, struct sb_err *e)
{
    struct sb_table t;
    SB_TRY(ask_about(ask, c, sql, &t, e));
    *out = t.n_rows > 0 && t.column[0].type == SB_INT ? t.cell[0].i : SB_NULL;
    return true;
}

/* Finds the first pid in the text, and the process that had it then. */
static bool
find_process(const struct sb_ask *ask, struct cause *c, struct sb_err *e)
{
    struct sb_str rest = sb_str_sub(c->text, sb_str_find(c->text, '<'), c->text.n);
    size_t end = sb_str_find(rest, '>');
    c->process = SB_NULL;
    if (end == rest.n)
        return true;
    c->pid = sb_str_sub(rest, 0, end + 1);
    return number(
        ask, c,
        "SELECT id FROM process WHERE pid = :pid AND coalesce(start, 0) <= :at ORDER BY id DESC LIMIT 1",
        &c->process, e);
}

static bool
is_stack(const struct cause *c)
{
    struct sb_str rest = sb_str_sub(c->text, c->pid.n, c->text.n);
    return sb_str_starts(c->text, c->pid) &&
           (sb_str_starts(rest, SB_STR(" waits in ")) || sb_str_starts(rest, SB_STR(" runs ")));
}

static bool
is_about_mailbox(const struct cause *c)
{
    return sb_str_starts(c->text, SB_STR("the mailbox of "));
}

/* When what the condition is about began; SB_NULL: it has no such time. */
static bool
find_since(const struct sb_ask *ask, const struct cause *c, int64_t *since_ns, struct sb_err *e)
{
    *since_ns = SB_NULL;
    if (c->process == SB_NULL || is_stack(c))
        return true;
    return number(ask, c,
                  is_about_mailbox(c) ? "SELECT coalesce(max(at), 0) FROM sample WHERE item = 'mailbox' AND "
                                        "key = :pid AND value = 0 AND at <= :at"
                  : sb_str_starts(c->text, SB_STR("a call of "))
                      ? "SELECT max(sent) FROM message WHERE sender = :process AND sent <= :at"
                      : "SELECT max(start) FROM slice WHERE process = :process AND start <= :at",
                  since_ns, e);
}

/* Who filled the mailbox; empty: the condition is about something else, or the trace does not show it. */
static bool
find_sender(const struct sb_ask *ask, const struct cause *c, const char **text, struct sb_err *e)
{
    struct sb_table t;
    *text = "";
    if (c->process == SB_NULL || !is_about_mailbox(c))
        return true;
    SB_TRY(ask_about(ask, c,
                     "SELECT sender, count(*) FROM message WHERE receiver = :process AND sent <= :at AND "
                     "sender IS NOT NULL GROUP BY sender ORDER BY count(*) DESC, sender LIMIT 1",
                     &t, e));
    if (t.n_rows > 0)
        *text = sb_words(ask->arena, "; %s sent it most, %s messages", sb_facts_who(ask, t.cell[0].i),
                         sb_words_count(ask->arena, t.cell[1].i));
    return true;
}

/* The text with the name of the process. */
static const char *
named(const struct sb_ask *ask, const struct cause *c)
{
    size_t at = sb_str_find(c->text, '<');
    if (c->process == SB_NULL)
        return sb_words(ask->arena, "%.*s", SB_STR_ARG(c->text));
    return sb_words(ask->arena, "%.*s%s%.*s", SB_STR_ARG(sb_str_sub(c->text, 0, at)),
                    sb_facts_who(ask, c->process), SB_STR_ARG(sb_str_sub(c->text, at + c->pid.n, c->text.n)));
}

static bool
put(const struct sb_ask *ask, struct cause *c, struct sb_table *t, struct sb_err *e)
{
    enum { US = 1000 };
    const char *sender, *see = NULL;
    int64_t since_ns;
    SB_TRY(find_process(ask, c, e) && find_since(ask, c, &since_ns, e) && find_sender(ask, c, &sender, e));
    if (since_ns != SB_NULL) /* up to the moment itself */
        see = sb_words(ask->arena, "strobe report P --since %lldus --until %lldus",
                       (long long)(since_ns / US), (long long)(c->at_ns / US + 1));
    sb_summary_put(t, (struct sb_summary_fact){is_stack(c) ? "stack" : "trigger", c->at_ns, SB_U_NS, see},
                   "%s%s, at %s", named(ask, c), sender, sb_words_human(ask->arena, c->at_ns, SB_U_AT_NS));
    return true;
}

bool
sb_facts_put_triggers(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t,
                      struct sb_err *e)
{
    struct sb_table marks;
    const struct sb_sql_value range[] = {{.name = ":from", .i = f->range.from_ns},
                                         {.name = ":to", .i = f->range.to_ns}};
    SB_TRY(sb_sql_ask(ask->sql,
                      SB_STR("SELECT at, text FROM mark WHERE process IS NULL AND at BETWEEN :from AND :to "
                             "ORDER BY at LIMIT 16"),
                      range, 2, NULL, ask->arena, &marks, e));
    for (size_t i = 0; i < marks.n_rows; i++)
        SB_TRY(
            put(ask, &(struct cause){.at_ns = marks.cell[2 * i].i, .text = marks.cell[2 * i + 1].s}, t, e));
    sb_summary_group(t, SB_SUMMARY_TRIGGER);
    return true;
}
