/* Running an answer: by its statement, filled in from the question, or by its function, followed by sort
 * and limit. */
#include "answer/answer.h"
#include "answer/keep.h"
#include "base/nearest.h"
#include "profile/scan_row.h"
#include "why/account/whole.h"
#include "why/find/findings.h"
#include <math.h>

/* ---- the function that a question names ---- */

/* Finds the function as Erlang or as Elixir writes it. A function that was not traced is not in the
 * profile. */
static bool
find_subject(const struct sb_ask *ask, struct sb_str *out, struct sb_err *e)
{
    struct sb_str given = *out = ask->q->subject;
    if (given.n == 0 || sb_profile_rows(ask->profile, SB_T_function) == 0)
        return true;
    SB_SCAN(s, ask->profile, function, mfa);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        *out = sb_profile_text(ask->profile, s.value[mfa][i]);
        if (sb_elixir_is(*out, given, ask->arena))
            return true;
    }
    sb_err_set(e, SB_ERR_USAGE, "unknown function '%.*s'", SB_STR_ARG(given));
    return sb_err_advise(e, "strobe report P functions --limit 0 lists them");
}

/* ---- columns ---- */

static const struct sb_column *
column_called(const struct sb_answer *a, struct sb_str name)
{
    for (const struct sb_column *c = a->column; c && c->name; c++)
        if (sb_str_eq(name, sb_str_of(c->name)))
            return c;
    return NULL;
}

/* `--sort run` means run_ns, as the header of the text shows it. */
const struct sb_column *
sb_answer_order(const struct sb_answer *a, const struct sb_question *q, struct sb_arena *arena)
{
    struct sb_str given = q->sort.n ? q->sort : sb_str_of(a->order);
    const struct sb_column *c = column_called(a, given);
    return c != NULL || given.n == 0 ? c
                                     : column_called(a, sb_arena_printf(arena, "%.*s_ns", SB_STR_ARG(given)));
}

const char *
sb_answer_header(const char *name, struct sb_arena *a)
{
    struct sb_str s = sb_str_of(name);
    static const char *const of[][2] = {{"ns", "time"}, {"asks_most", "busiest client"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (sb_str_eq(s, sb_str_of(of[i][0])))
            return of[i][1];
    if (sb_str_ends(s, SB_STR("_ns")))
        s.n -= 3;
    else if (sb_str_ends(s, SB_STR("_ppm")))
        return sb_arena_printf(a, "%.*s%%", (int)(s.n - 4), s.p).p;
    char *p = (char *)sb_arena_str(a, s).p;
    for (size_t i = 0; i < s.n; i++)
        if (p[i] == '_')
            p[i] = ' ';
    return p;
}

struct sb_str
sb_answer_title(const struct sb_answer *a, const struct sb_column *by, struct sb_arena *arena)
{
    if (a->ordered == NULL)
        return sb_str_of(a->title);
    if (by == NULL || sb_str_eq(sb_str_of(by->name), sb_str_of(a->order)))
        return sb_arena_printf(arena, "%s, %s", a->title, a->ordered);
    return sb_arena_printf(arena, "%s, by %s", a->title, sb_answer_header(by->name, arena));
}

static bool
find_order(const struct sb_answer *a, const struct sb_ask *ask, const struct sb_column **out,
           struct sb_err *e)
{
    *out = sb_answer_order(a, ask->q, ask->arena);
    if (*out != NULL || ask->q->sort.n == 0)
        return true;
    struct sb_nearest near = sb_nearest_to(ask->q->sort);
    for (const struct sb_column *c = a->column; c && c->name; c++) {
        struct sb_str name = sb_str_of(c->name);
        if (sb_str_ends(name, SB_STR("_ns")))
            sb_nearest_offer(&near, (struct sb_str){name.p, name.n - 3});
        sb_nearest_offer(&near, name);
    }
    sb_err_set(e, SB_ERR_USAGE, "%s has no column '%.*s' to sort by%s", a->name, SB_STR_ARG(ask->q->sort),
               sb_nearest_hint(&near));
    return sb_err_advise(e, "its columns are in strobe report P %s --format csv --limit 1", a->name);
}

/* True if no row has a value to order by, such as a time where the trace has none. */
static bool
is_unordered(const struct sb_table *t, const struct sb_column *by)
{
    size_t c = 0;
    while (by && c < t->n_columns && strcmp(t->column[c].name, by->name))
        c++;
    if (!by || c == t->n_columns || t->column[c].type == SB_REAL)
        return false;
    bool text = t->column[c].type == SB_TEXT;
    for (const union sb_cell *v = t->cell + c; v < t->cell + t->n_rows * t->n_columns; v += t->n_columns)
        if (text ? v->s.p != NULL : v->i != SB_NULL)
            return false;
    return t->n_rows > 0;
}

static void
describe(const struct sb_answer *a, const struct sb_ask *ask, const struct sb_column *by, struct sb_table *t)
{
    struct sb_column *own = SB_NEW_N(ask->arena, struct sb_column, t->n_columns + 1);
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct sb_column *d = column_called(a, sb_str_of(t->column[c].name));
        own[c] = t->column[c];
        if (d != NULL)
            own[c].unit = d->unit, own[c].doc = d->doc;
        if (d != NULL && t->n_rows == 0)
            own[c].type = d->type;
    }
    t->column = own;
    bool by_default = ask->q->sort.n == 0;
    if (t->title.n == 0)
        t->title =
            by_default && is_unordered(t, by) ? sb_str_of(a->title) : sb_answer_title(a, by, ask->arena);
}

/* ---- statements ---- */

struct filling {
    const struct sb_ask *ask;
    struct sb_str subject;
    const int64_t *ids;
    size_t n_ids;
    struct sb_str order; /* replaces {order} */
};

static void
put_among(const struct filling *f, struct sb_str column, struct sb_out *to)
{
    if (f->n_ids == 0) {
        sb_out_z(to, "1");
        return;
    }
    sb_out_printf(to, "%.*s IN (", SB_STR_ARG(column));
    for (size_t i = 0; i < f->n_ids; i++)
        sb_out_printf(to, "%s%lld", i ? "," : "", (long long)f->ids[i]);
    sb_out_char(to, ')');
}

static struct sb_str
fill(const struct filling *f, const char *sql)
{
    SB_OUT_TO_MEMORY(to);
    struct sb_str rest = sb_str_of(sql);
    while (rest.n > 0) {
        sb_out_str(&to, sb_str_cut(&rest, '{'));
        if (rest.n == 0)
            break;
        struct sb_str column = sb_str_cut(&rest, '}'), what = sb_str_cut(&column, ':');
        if (sb_str_eq(what, SB_STR("order")))
            sb_out_str(&to, f->order);
        else if (sb_str_eq(what, SB_STR("node")))
            sb_out_printf(&to, "(SELECT node FROM process WHERE id = %.*s)", SB_STR_ARG(column));
        else
            put_among(f, column, &to);
    }
    return sb_arena_str(f->ask->arena, (struct sb_str){to.buf, to.n});
}

static const char *
statement_of(const struct sb_answer *a, const struct sb_ask *ask)
{
    bool between = ask->q->since_ns != SB_NULL || ask->q->until_ns != SB_NULL;
    if (between && a->sql_between)
        return a->sql_between;
    if (a->sql_among && ask->q->n_process > 0)
        return a->sql_among;
    bool folds = a->sql_folded && ask->q->width > 0 && ask->q->n_process == 0;
    return folds ? a->sql_folded : a->sql;
}

static bool
count_rows(const struct sb_answer *a, struct filling *f, struct sb_table *t, struct sb_err *e)
{
    struct sb_table n;
    f->order = SB_STR("");
    bool cheap = a->count != NULL && statement_of(a, f->ask) == a->sql;
    struct sb_str sql = fill(f, cheap ? a->count : statement_of(a, f->ask));
    if (!cheap)
        sql = sb_arena_printf(f->ask->arena, "SELECT count(*) FROM (%.*s)", SB_STR_ARG(sql));
    SB_TRY(sb_answer_ask(f->ask, f->subject, sql, &n, e));
    if (n.n_rows == 1 && n.cell[0].i > (int64_t)t->n_rows)
        t->rows_left_out = (uint64_t)n.cell[0].i - t->n_rows;
    return true;
}

static bool
run_sql(const struct sb_answer *a, const struct sb_ask *ask, const struct sb_column *by, struct sb_table *t,
        struct sb_err *e)
{
    int64_t *ids;
    struct filling f = {.ask = ask};
    SB_TRY(sb_answer_chosen(ask, &ids, &f.n_ids, e));
    SB_TRY(find_subject(ask, &f.subject, e));
    f.ids = ids;
    struct sb_str order = SB_STR(""), limit = SB_STR("");
    if (by != NULL)
        order =
            sb_arena_printf(ask->arena, " ORDER BY \"%s\" %s", by->name, by->type == SB_TEXT ? "" : "DESC");
    if (ask->q->limit > 0)
        limit = sb_arena_printf(ask->arena, " LIMIT %llu", (unsigned long long)ask->q->limit);
    f.order = sb_arena_printf(ask->arena, "%.*s%.*s", SB_STR_ARG(order), SB_STR_ARG(limit));
    struct sb_str sql = fill(&f, statement_of(a, ask));
    if (strstr(statement_of(a, ask), "{order}") == NULL)
        sql = sb_arena_printf(ask->arena, "SELECT * FROM (%.*s)%.*s", SB_STR_ARG(sql), SB_STR_ARG(f.order));
    SB_TRY(sb_answer_ask(ask, f.subject, sql, t, e));
    if (ask->q->limit > 0 && t->n_rows == ask->q->limit)
        SB_TRY(count_rows(a, &f, t, e));
    return true;
}

/* ---- tables made by functions ---- */

struct sorting {
    const struct sb_table *t;
    size_t col;
};

static double
number(const struct sb_column *c, const union sb_cell *v)
{
    if (c->type == SB_REAL)
        return isnan(v->f) ? -INFINITY : v->f;
    return v->i == SB_NULL ? -INFINITY : (double)v->i;
}

static int
compare(const void *x, const void *y, void *ctx)
{
    const struct sorting *s = ctx;
    size_t i = *(const size_t *)x, k = *(const size_t *)y, n = s->t->n_columns;
    const union sb_cell *a = &s->t->cell[i * n + s->col], *b = &s->t->cell[k * n + s->col];
    const struct sb_column *c = &s->t->column[s->col];
    int order;
    if (c->type == SB_TEXT) {
        order = sb_str_cmp(a->s, b->s);
    } else {
        double v = number(c, a), w = number(c, b);
        order = (v < w) - (v > w);
    }
    return order ? order : (i > k) - (i < k);
}

static void
sort_table(struct sb_table *t, const struct sb_column *by)
{
    struct sorting s = {t, t->n_columns};
    for (size_t c = 0; c < t->n_columns; c++)
        if (strcmp(t->column[c].name, by->name) == 0)
            s.col = c;
    if (s.col == t->n_columns || t->n_rows < 2)
        return;
    size_t *order = SB_NEW_N(t->arena, size_t, t->n_rows);
    for (size_t i = 0; i < t->n_rows; i++)
        order[i] = i;
    qsort_r(order, t->n_rows, sizeof *order, compare, &s);
    union sb_cell *cell = SB_NEW_N(t->arena, union sb_cell, sb_mul_or_die(t->n_rows, t->n_columns));
    for (size_t i = 0; i < t->n_rows; i++)
        memcpy(cell + i * t->n_columns, t->cell + order[i] * t->n_columns, t->n_columns * sizeof *cell);
    t->cell = cell;
    t->cap_rows = t->n_rows;
}

static void
cut_table(const struct sb_answer *a, const struct sb_ask *ask, const struct sb_column *by, struct sb_table *t)
{
    if (by != NULL)
        sort_table(t, by);
    if (!a->own_limit && ask->q->limit > 0 && t->n_rows > ask->q->limit) {
        t->rows_left_out += t->n_rows - ask->q->limit;
        t->n_rows = ask->q->limit;
    }
}

/* ---- the whole run, from a model ---- */

static bool
is_whole(const struct sb_question *q)
{
    const struct sb_what_if_text *w = &q->what_if;
    return q->since_ns == SB_NULL && q->until_ns == SB_NULL && q->n_process + q->subject.n == 0 &&
           w->cores.n + w->faster.n + w->split.n + w->free.n == 0;
}

/* The evidence behind the findings takes as long as the sweep over the whole run, and neither needs the other. */
static void
find_model(const struct sb_profile *p)
{
    struct sb_whole_ahead ahead = sb_whole_begin(p);
    (void)sb_findings_of(p, NULL);
    sb_whole_wait(&ahead);
}

/* All rows, in no order. */
static bool
run_whole(const struct sb_answer *a, const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_question q = {.since_ns = SB_NULL, .until_ns = SB_NULL, .elixir = ask->q->elixir};
    struct sb_ask whole = {ask->profile, ask->sql, &q, ask->arena};
    struct sb_keep_key key = {a->name, q.elixir, a->column, a->write != NULL};
    sb_table_init(t, ask->arena, NULL, 0);
    if (sb_keep_find(ask->profile, &key, t))
        return true;
    if (a->model == SB_MODEL_FINDINGS)
        find_model(ask->profile);
    SB_TRY(a->ask ? a->ask(&whole, t, e) : run_sql(a, &whole, NULL, t, e));
    sb_keep_put(ask->profile, &key, t);
    return true;
}

/* The other answers from the same model cost little once it is there. */
static bool
run_kept(const struct sb_answer *a, const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    SB_TRY(run_whole(a, ask, t, e));
    for (size_t i = 0; i < sb_n_answers && sb_keep_is_wanted(ask->profile); i++)
        if (sb_answers[i]->model == a->model) {
            struct sb_table other = {0};
            (void)run_whole(sb_answers[i], ask, &other, NULL);
        }
    sb_keep_write(ask->profile);
    return true;
}

static bool
run_any(const struct sb_answer *a, const struct sb_ask *ask, const struct sb_column *by, struct sb_table *t,
        struct sb_err *e)
{
    bool kept = a->model != SB_MODEL_NONE && is_whole(ask->q);
    if (!kept && !a->ask)
        return run_sql(a, ask, by, t, e);
    SB_TRY(kept ? run_kept(a, ask, t, e) : a->ask(ask, t, e));
    cut_table(a, ask, by, t);
    return true;
}

static void
complete_commands(const struct sb_ask *ask, struct sb_table *t)
{
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        if (strcmp(t->column[i % t->n_columns].name, "see") == 0)
            t->cell[i].s = sb_answer_command(ask, t->cell[i].s);
}

static bool
try_run(const struct sb_answer *a, const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    const struct sb_column *by;
    const struct sb_question *q = ask->q;
    if (q->since_ns != SB_NULL && q->until_ns != SB_NULL && q->since_ns > q->until_ns)
        return sb_err_set(e, SB_ERR_USAGE, "the range ends before it begins: --since is after --until");
    if (a->whole_run && (ask->q->since_ns != SB_NULL || ask->q->until_ns != SB_NULL)) {
        sb_err_set(e, SB_ERR_USAGE, "%s counts the whole run, so --since and --until cannot narrow it",
                   a->name);
        return sb_err_advise(e, "%s", a->whole_run);
    }
    if (a->of_all && ask->q->n_process > 0) {
        sb_err_set(e, SB_ERR_USAGE, "%s counts all processes, so --process cannot narrow it", a->name);
        return sb_err_advise(e, "strobe report P processes --process NAME shows one");
    }
    SB_TRY(find_order(a, ask, &by, e));
    SB_TRY(run_any(a, ask, by, t, e));
    describe(a, ask, by, t);
    complete_commands(ask, t);
    return true;
}

/* A time as an option takes it, in the largest unit that keeps it exact. */
static struct sb_str
time_option(const char *option, int64_t ns, struct sb_arena *a)
{
    if (ns == SB_NULL)
        return SB_STR("");
    int64_t unit = ns % 1000000 == 0 ? 1000000 : ns % 1000 == 0 ? 1000 : 1;
    return sb_arena_printf(a, " %s %lld%s", option, (long long)(ns / unit),
                           unit == 1000000 ? "ms"
                           : unit == 1000  ? "us"
                                           : "ns");
}

/* Writes the range of the question in place of " --since T --until T". */
static struct sb_str
with_range(const struct sb_ask *ask, struct sb_str command)
{
    static const char range[] = " --since T --until T";
    enum { N = sizeof range - 1 };
    for (size_t i = 0; i + N <= command.n; i++)
        if (memcmp(command.p + i, range, N) == 0)
            return sb_arena_printf(ask->arena, "%.*s%.*s%.*s%.*s", (int)i, command.p,
                                   SB_STR_ARG(time_option("--since", ask->q->since_ns, ask->arena)),
                                   SB_STR_ARG(time_option("--until", ask->q->until_ns, ask->arena)),
                                   (int)(command.n - i - N), command.p + i + N);
    return command;
}

/* The command that an error advises, with what the user gave; it stays general if that is too long. */
static void
complete_advice(const struct sb_ask *ask, struct sb_err *e)
{
    struct sb_str advice =
        with_range(ask, sb_answer_command(ask, sb_arena_str(ask->arena, sb_str_of(e->advice))));
    if (advice.n < sizeof e->advice)
        sb_err_advise(e, "%.*s", SB_STR_ARG(advice));
}

bool
sb_answer_run(const struct sb_answer *a, const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    if (try_run(a, ask, t, e))
        return true;
    if (e)
        complete_advice(ask, e);
    return false;
}
