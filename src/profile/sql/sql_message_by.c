/*
 * message_by('count'|'total_words', most): all messages of the run by what their ends are called: the name of a process
 * that is alone in its group, else the entry. The pairs are computed once for an open profile.
 */
#include "base/map.h"
#include "base/order.h"
#include "base/sort.h"
#include "base/vec.h"
#include "profile/derive.h"
#include "profile/scan_row.h"
#include "profile/sql/sql_module.h"

static const struct sb_column columns[] = {
    {"sender", SB_TEXT, SB_U_NONE,
     "what the senders are called; NULL in the last row if that is all further pairs"},
    {"receiver", SB_TEXT, SB_U_NONE, "what the receivers are called"},
    {"value", SB_INT, SB_U_NONE, "messages, or their words"},
};

SB_COMPUTED(sb_sql_message_by) = {
    .name = "message_by",
    .doc = "message_by('count'|'total_words', most): messages by the names and entries of their ends, the "
           "most first",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .arg = {"by", "most"},
    .n_required = 1,
    .open = open_rows,
    .next = next_row,
};

/* ---- once a profile ---- */

enum { COUNT, WORDS, SUMS };
struct pair {
    uint32_t sender, receiver; /* 0: unknown; else text id + 1 */
    int64_t sum[SUMS];         /* SB_NULL: unknown */
};
struct pairs {
    SB_VEC(struct pair) pair;
};

/* What each process is called, by id. */
static uint32_t *
labels_of(const struct sb_profile *p, struct sb_arena *a)
{
    uint32_t *of = SB_NEW_N(a, uint32_t, sb_profile_rows(p, SB_T_process) + 1);
    struct sb_scan alone;
    uint64_t groups = sb_profile_rows(p, SB_T_process_group);
    bool *is_alone = SB_NEW_N(a, bool, groups + 1);
    sb_scan_open(&alone, p, SB_T_process_group);
    sb_scan_where(&alone, SB_C_process_group__processes, 1, 1);
    for (size_t i = 0; sb_scan_row(&alone, &i); i++)
        is_alone[alone.row[i] + 1] = true;
    SB_SCAN(s, p, process, group_id, name, label, entry);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t group = s.value[group_id][i], text = SB_NULL;
        if (group >= 1 && (uint64_t)group <= groups && is_alone[group])
            text = s.value[name][i] != SB_NULL ? s.value[name][i] : s.value[label][i];
        text = text != SB_NULL ? text : s.value[entry][i];
        of[s.row[i] + 1] = text == SB_NULL ? 0 : (uint32_t)text + 1;
    }
    return of;
}

static bool
make(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)e;
    struct pairs *all = value;
    int64_t processes = (int64_t)sb_profile_rows(p, SB_T_process);
    const uint32_t *label = labels_of(p, a);
    SB_SCOPED_MAP struct sb_map known = {0};
    SB_SCAN(s, p, message_edge, sender, receiver, count, total_words);
    sb_scan_where(&s, SB_C_message_edge__sender, 1, processes);
    sb_scan_where(&s, SB_C_message_edge__receiver, 1, processes);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        uint32_t from = label[s.value[sender][i]], to = label[s.value[receiver][i]];
        uint64_t key = (uint64_t)from << 32 | to;
        struct pair *pair = SB_AT_KEY(&known, key, &all->pair, from, to, {SB_NULL, SB_NULL});
        sb_add_known(&pair->sum[COUNT], s.value[count][i]);
        sb_add_known(&pair->sum[WORDS], s.value[total_words][i]);
    }
    return true;
}

static void
forget(void *value)
{
    struct pairs *all = value;
    SB_VEC_FREE(&all->pair);
}

/* ---- rows ---- */

struct rows {
    const struct sb_profile *p;
    const struct pairs *all;
    unsigned sum;
    size_t n, i;
    int64_t rest; /* of the pairs beyond n; SB_NULL: there are none */
    struct sb_sort_key *order;
};

static void *
open_rows(const struct sb_computation *c, struct sb_err *e)
{
    static const struct sb_derived derived = {sizeof(struct pairs), make, forget};
    bool by_words = sb_str_eq(c->arg[0].s, SB_STR("total_words"));
    if (!by_words && !sb_str_eq(c->arg[0].s, SB_STR("count"))) {
        sb_err_set(e, SB_ERR_USAGE, "cannot order by '%.*s': count or total_words", SB_STR_ARG(c->arg[0].s));
        return NULL;
    }
    const struct pairs *all = sb_profile_derive(c->profile, &derived, e);
    if (!all)
        return NULL;
    struct rows *r = SB_NEW(c->arena, struct rows);
    *r = (struct rows){c->profile, all, by_words ? WORDS : COUNT, all->pair.n, 0, SB_NULL};
    r->order = SB_NEW_N(c->arena, struct sb_sort_key, 2 * r->n + 1);
    for (size_t i = 0; i < r->n; i++)
        r->order[i] = (struct sb_sort_key){~sb_sort_key_of(all->pair.at[i].sum[r->sum]), i};
    sb_sort_radix(r->order, r->order + r->n, r->n);
    size_t most = c->arg[1].i > 0 && (uint64_t)c->arg[1].i < r->n ? (size_t)c->arg[1].i : r->n;
    for (size_t i = most; i < r->n; i++)
        sb_add_known(&r->rest, all->pair.at[r->order[i].value].sum[r->sum]);
    r->n = most;
    return r;
}

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    if (r->i == r->n + (r->rest != SB_NULL))
        return false;
    const struct pair *pair = r->i < r->n ? &r->all->pair.at[r->order[r->i].value] : NULL;
    cell[0].s = !pair          ? (struct sb_str){0}
                : pair->sender ? sb_profile_text(r->p, pair->sender - 1)
                               : SB_STR("(unknown)");
    cell[1].s = !pair            ? (struct sb_str){0}
                : pair->receiver ? sb_profile_text(r->p, pair->receiver - 1)
                                 : SB_STR("(unknown)");
    cell[2].i = pair ? pair->sum[r->sum] : r->rest;
    r->i++;
    return true;
}
