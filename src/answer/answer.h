/*
 * An answer: a question's name, what it means, its columns, and a function from profile and question to a
 * table. One file an answer, one row in answers.def; report, serve and the tests are generic over the table of
 * answers.
 */
#pragma once
#include "profile/range.h"
#include "profile/sql/sql.h"
#include "why/program/elixir.h"
#include "why/predict/what_if.h"
#include "base/file.h"

struct sb_question {
    int64_t since_ns, until_ns;   /* SB_NULL: open */
    const struct sb_str *process; /* pids, names or ids; any of them */
    size_t n_process;
    struct sb_str subject;          /* `callers F`: the function */
    struct sb_what_if_text what_if; /* of a forecast */
    struct sb_str sort;             /* column; empty: the default order of the answer */
    uint64_t limit;                 /* 0: all */
    bool elixir;                    /* write names as Elixir does */
    size_t width;                   /* of the terminal, for text; 0: data */
};

struct sb_ask { /* the input of an answer; lives as long as the request */
    const struct sb_profile *profile;
    struct sb_sql *sql;
    const struct sb_question *q;
    struct sb_arena *arena;
};

/* What an answer is computed from where that takes long. Answers about the whole run from one model are computed
 * together and kept (keep.h). */
enum sb_model { SB_MODEL_NONE, SB_MODEL_FINDINGS, SB_MODEL_ACCOUNT, SB_MODEL_PATH, SB_MODEL_FORECAST };

/*
 * Most answers are an SQL statement: `ask` is NULL and `sql` holds it. It may contain
 *     {among:COL}   COL is one of the selected processes; true if none were selected
 *     {node:COL}    node.id of the process with that id
 *     {order}       ORDER BY ... LIMIT ..., for an inner query; without it, at the end of the statement
 *     :since :until              the range (profile/range.h has the conditions); open: the whole run
 *     :subject      of the request
 *     :span         length of the profile
 */
struct sb_answer {
    const char *name; /* "processes": section of report, route of the page */
    const char *title, *doc;
    const char *ordered;   /* how the title describes `order`: "by run time"; NULL: not at all */
    const char *whole_run; /* why it cannot be limited to a range of time, and what to use instead; NULL:
                              it can */
    bool of_all;           /* it cannot be limited to some processes either */
    const char *(*note)(const struct sb_ask *a, const struct sb_table *t); /* below the text; or NULL */
    const char *none;  /* why the table is empty, where `needs` is not the reason */
    const char *needs; /* what to record for it, "--trace messages"; shown if the table is empty */
    bool (*ask)(const struct sb_ask *a, struct sb_table *t, struct sb_err *e);
    bool own_limit;  /* `ask` applies the limit itself */
    bool shows_loss; /* its rows tell what the trace lost; other answers have a line above them */
    uint64_t limit;  /* default rows in text */
    enum sb_model model;
    const char
        *command; /* column of commands, which are completed with the path of the profile; NULL: none */

    const char *sql;
    struct {                     /* used instead */
        const char *sql_between; /* if the question has a range of time */
        const char *sql_among;   /* if processes are selected */
        const char *sql_folded;  /* for text if no process is selected: equal rows become one */
    };
    const char *count; /* number of all rows of `sql`, where that is cheaper than counting them */
    const char *order; /* column to sort by: numbers descending, texts ascending */

    /* All columns that the table may have; ends at the first without a name. One that is called `see` holds commands,
     * which get the path of the profile. */
    const struct sb_column *column;
    struct {                /* how text shows the columns */
        const char *narrow; /* comma-separated: those that are always there; others are if they fit */
        const char *hide;   /* that are never there */
        const char *whole;  /* that are never truncated */
        bool worst_last;    /* the largest row comes last, as in eprof */
    };
    /* text that is not a table */
    void (*write)(const struct sb_ask *a, const struct sb_table *t, size_t width, struct sb_out *out);
};
/* Begins the descriptor of an answer that the function `answer` of its file gives. */
#define SB_ANSWER(name) \
    static bool answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e); \
    const struct sb_answer sb_answer_##name
extern const struct sb_answer *const sb_answers[];
extern const size_t sb_n_answers;
extern const struct sb_answer sb_answer_forecast; /* strobe predict asks it with changes */
const struct sb_answer *sb_answer_find(struct sb_str name);
/* runs an answer and applies the sort, limit and filters of the question */
bool sb_answer_run(const struct sb_answer *a, const struct sb_ask *ask, struct sb_table *t, struct sb_err *e);

/* The column that the rows are sorted by; NULL: none, or the question names one that does not exist. */
const struct sb_column *sb_answer_order(const struct sb_answer *a, const struct sb_question *q,
                                        struct sb_arena *arena);
/* The title with the order; `by` is NULL for the answer's own order. */
struct sb_str sb_answer_title(const struct sb_answer *a, const struct sb_column *by, struct sb_arena *arena);
/* The header of a column in text. Each value shows its unit, so the header omits it. */
const char *sb_answer_header(const char *column, struct sb_arena *a);
/* A table as text: headers without units, only the columns that fit and the one sorted by, Elixir modules as
 * Elixir writes them. `unknown` lists, comma-separated, the columns that would be shown if they had values.
 */
void sb_answer_text(const struct sb_answer *a, const struct sb_ask *ask, const struct sb_table *from,
                    size_t width, struct sb_table *to, struct sb_str *unknown);
/* Writes all functions of a table as Elixir does. */
void sb_answer_name_as_elixir(const struct sb_table *t, struct sb_arena *a);
/* "strobe report P gc" with the path of the profile, to be copied into a shell; in text, strobe as found from here. */
struct sb_str sb_answer_command(const struct sb_ask *ask, struct sb_str command);
struct sb_range sb_answer_range(const struct sb_ask *ask);
/* Runs a statement, in which :since and :until are the range, :span is the length of the profile, and :subject is
 * `subject`; the second one for statements without it. */
bool sb_answer_ask(const struct sb_ask *ask, struct sb_str subject, struct sb_str sql, struct sb_table *t,
                   struct sb_err *e);
bool sb_answer_sql(const struct sb_ask *ask, const char *sql, struct sb_table *t, struct sb_err *e);
/* ids of the selected processes; n == 0: none are selected */
bool sb_answer_chosen(const struct sb_ask *ask, int64_t **ids, size_t *n, struct sb_err *e);
/* Writes the words of the text and ends the line; `indent` is the width of what is written before the text. */
void sb_wrap(struct sb_str text, size_t indent, size_t width, struct sb_out *out);
