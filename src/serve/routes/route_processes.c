/* Some of the processes, sorted and filtered by the server: the page scrolls over a million of them without
   holding them. */
#include "serve/process_order.h"
#include "serve/route.h"
#include "serve/within.h"
#include "profile/who.h"

/* Sorting by a time in a range reads the states of every process alive in it. */
enum { MOST_ROWS = 5000, MOST_SORTED_WITHIN = 200000 };

/* The columns of the reply that the table does not have. */
static const struct sb_column more[] = {
    {"mean_send_words", SB_INT, SB_U_WORDS, "of a message it sent"},
    {"mean_receive_words", SB_INT, SB_U_WORDS, "of a message it received"},
    {"who", SB_TEXT, SB_U_NONE, "its name (profile/who.h)"},
};
static const struct mean {
    unsigned sum, n;
} means[] = {{SB_C_process__send_words, SB_C_process__sends},
             {SB_C_process__receive_words, SB_C_process__receives}};
enum { MORE = sizeof more / sizeof *more, MEANS = sizeof means / sizeof *means };

static bool
read_sort(struct sb_str sort, struct sb_process_order_key *k)
{
    for (size_t i = 0; i < MEANS; i++)
        if (sb_str_eq(sort, sb_str_of(more[i].name))) {
            k->column = means[i].sum;
            k->over = (int)means[i].n;
            return true;
        }
    int column = sb_schema_column(SB_T_process, sort.n > 0 ? sort : SB_STR("run_ns"));
    k->column = (unsigned)column;
    k->over = -1;
    return column >= 0;
}

static bool
read_key(const struct sb_request *rq, struct sb_process_order_key *k, struct sb_err *e)
{
    struct sb_str sort = sb_request_text(rq, "sort");
    unsigned dir;
    *k = (struct sb_process_order_key){.find = sb_request_text(rq, "find")};
    if (!read_sort(sort, k))
        return sb_err_set(e, SB_ERR_INPUT, "processes have no column '%.*s'", SB_STR_ARG(sort));
    SB_TRY(sb_request_choice(rq, "dir", "down|up", &dir, e));
    k->down = dir == 0;
    SB_TRY(sb_request_int(rq, "group", (struct sb_request_limits){0, INT64_MAX, SB_NULL}, &k->group, e));
    SB_TRY(sb_request_int(rq, "parent", (struct sb_request_limits){0, INT64_MAX, SB_NULL}, &k->parent, e));
    SB_TRY(sb_request_range(rq, &k->range, e));
    k->within = sb_range_is_part(k->range) &&
                sb_profile_rows(rq->served->profile, SB_T_process) <= MOST_SORTED_WITHIN;
    return true;
}

static struct sb_table *
open_table(struct sb_reply *r)
{
    const struct sb_tab_desc *d = &sb_schema[SB_T_process];
    struct sb_column *c = SB_NEW_N(r->arena, struct sb_column, d->n_columns + MORE);
    memcpy(c, d->column, d->n_columns * sizeof *c);
    memcpy(c + d->n_columns, more, sizeof more);
    return sb_reply_table(r, "processes", c, d->n_columns + MORE);
}

/* `within`: times by state are those in the range; NULL: all figures cover the whole run. */
static void
write_row(const struct sb_served *b, uint64_t row, struct sb_within *within, struct sb_table *t)
{
    const struct sb_tab_desc *d = &sb_schema[SB_T_process];
    union sb_cell *cell = sb_table_row(t);
    for (unsigned c = 0; c < d->n_columns; c++) {
        int64_t v = sb_profile_cell(b->profile, SB_T_process, c, row);
        if (d->column[c].type == SB_TEXT)
            cell[c].s = sb_profile_text(b->profile, v);
        else
            cell[c].i = within ? sb_within_value(within, cell[SB_C_process__id].i, c, v) : v;
    }
    for (size_t i = 0; i < MEANS; i++) {
        int64_t sum = cell[means[i].sum].i, n = cell[means[i].n].i;
        cell[d->n_columns + i].i = sum == SB_NULL || n == SB_NULL || n <= 0 ? SB_NULL : sum / n;
    }
    cell[d->n_columns + MEANS].s = sb_who(b->profile, (int64_t)row + 1);
}

bool
sb_route_processes(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct sb_process_order_key k;
    int64_t from, n;
    SB_TRY(read_key(rq, &k, e));
    SB_TRY(sb_request_int(rq, "from", (struct sb_request_limits){0, INT64_MAX, 0}, &from, e));
    SB_TRY(sb_request_int(rq, "n", (struct sb_request_limits){1, MOST_ROWS, 100}, &n, e));
    size_t got = (size_t)n;
    uint64_t *row = SB_NEW_N(rq->arena, uint64_t, got);
    uint64_t total =
        sb_process_order_rows(rq->served->roll, rq->served->profile, &k, (uint64_t)from, &got, row);
    bool narrowed = sb_range_is_part(k.range);
    struct sb_within *within = narrowed ? sb_within_open(rq->served->profile, k.range) : NULL;
    struct sb_table *t = open_table(r);
    for (size_t i = 0; i < got; i++)
        write_row(rq->served, row[i], within, t);
    sb_within_close(within);
    sb_reply_bool(r, "narrowed", narrowed);
    sb_reply_bool(r, "sorted_whole", narrowed && !k.within);
    sb_reply_int(r, "total", (int64_t)total);
    sb_reply_int(r, "all", (int64_t)sb_profile_rows(rq->served->profile, SB_T_process));
    return true;
}
