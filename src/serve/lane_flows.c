#include "serve/lane_flows.h"
#include "base/order.h"
#include "profile/ran_on.h"
#include "profile/scan_row.h"
#include <stdlib.h>

enum { MOST_FLOWS = 400, MOST_COUNTED = 100000 };

static const struct sb_column columns[] = {
    {"from", SB_INT, SB_U_ID, "process.id of the sender"},
    {"sent", SB_INT, SB_U_AT_NS, ""},
    {"to", SB_INT, SB_U_ID, "process.id of the receiver"},
    {"received", SB_INT, SB_U_AT_NS, "fetched by the receiver"},
    {"words", SB_INT, SB_U_WORDS, "size"},
    {"from_scheduler", SB_INT, SB_U_ID, "scheduler.id that the sender ran on"},
    {"to_scheduler", SB_INT, SB_U_ID, "scheduler.id that the receiver ran on"},
};
enum { FROM, SENT, TO, RECEIVED, WORDS, FROM_SCHEDULER, TO_SCHEDULER, N_COLUMNS };
static const unsigned wanted[] = {SB_C_message__sender,   SB_C_message__sent,  SB_C_message__receiver,
                                  SB_C_message__received, SB_C_message__words, SB_C_message__sent_on};

struct flows {
    const struct sb_served *served;
    int64_t t0, t1;
    const int64_t *id; /* sorted */
    size_t n;
    struct sb_scan message;
    struct sb_table *t;
    int64_t count;
};

static bool
has_lane(const struct flows *x, int64_t process)
{
    return process != SB_NULL &&
           (x->n == 0 || bsearch(&process, x->id, x->n, sizeof *x->id, sb_by_number) != NULL);
}

/* Adds the messages to one process, or (SB_NULL) to all. */
static void
add(struct flows *x, int64_t receiver)
{
    struct sb_scan *s = &x->message;
    sb_scan_restart(s);
    if (receiver != SB_NULL)
        sb_scan_where(s, SB_C_message__receiver, receiver, receiver);
    sb_scan_where(s, SB_C_message__sent, SB_NULL + 1, x->t1 - 1);
    sb_scan_where(s, SB_C_message__received, x->t0, INT64_MAX);
    while (x->count < MOST_COUNTED && sb_scan_next(s))
        for (size_t i = 0; i < s->n; i++) {
            if (!has_lane(x, s->value[FROM][i]) || s->value[TO][i] == SB_NULL || x->count++ >= MOST_FLOWS)
                continue;
            union sb_cell *c = sb_table_row(x->t);
            for (size_t k = 0; k < N_COLUMNS - 1; k++)
                c[k].i = s->value[k][i];
            c[TO_SCHEDULER].i = SB_NULL;
        }
}

static void
find_schedulers(struct flows *x)
{
    struct sb_ran_on ran;
    sb_ran_on_open(&ran, x->served->profile);
    for (size_t i = 0; i < x->t->n_rows; i++) {
        union sb_cell *c = &x->t->cell[i * N_COLUMNS];
        c[TO_SCHEDULER].i = sb_ran_on(&ran, c[TO].i, c[RECEIVED].i);
        if (c[FROM_SCHEDULER].i == SB_NULL)
            c[FROM_SCHEDULER].i = sb_ran_on(&ran, c[FROM].i, c[SENT].i);
    }
    sb_ran_on_close(&ran);
}

void
sb_lane_flows(const struct sb_served *b, int64_t t0, int64_t t1, const int64_t *id, size_t n,
              struct sb_reply *r)
{
    struct flows x = {.served = b, .t0 = t0, .t1 = t1, .id = id, .n = n};
    x.t = sb_reply_table(r, "flow", columns, N_COLUMNS);
    sb_scan_open_columns(&x.message, b->profile, SB_T_message, wanted, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < n; i++)
        add(&x, id[i]);
    if (n == 0)
        add(&x, SB_NULL);
    sb_scan_close(&x.message);
    if (x.count > MOST_FLOWS)
        x.t->n_rows = 0;
    if (n == 0)
        find_schedulers(&x);
    sb_reply_int(r, "flows", x.count);
}
