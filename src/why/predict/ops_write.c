/* From rows at moments to operations by process, with the work between them. */
#include "base/sort.h"
#include "why/predict/ops_build.h"

struct sb_work_clock
sb_work_clock_of(const struct sb_history *h, uint64_t process)
{
    return (struct sb_work_clock){h->slice + h->slices_from[process], h->slice + h->slices_from[process + 1],
                                  0};
}

int64_t
sb_work_until(struct sb_work_clock *c, int64_t at)
{
    for (; c->slice < c->end && c->slice->end <= at; c->slice++)
        c->done_ns +=
            c->slice->dirty || c->slice->end < c->slice->start ? 0 : c->slice->end - c->slice->start;
    return c->done_ns +
           (c->slice < c->end && !c->slice->dirty && c->slice->start < at ? at - c->slice->start : 0);
}

/* ---- order ---- */

static uint64_t
key_of(const struct sb_raw_op *r)
{
    return (uint64_t)r->at << 1 | r->rank;
}

struct sorting {
    SB_VEC(struct sb_sort_key) key, tmp;
    SB_VEC(struct sb_raw_op) row;
};

/* Puts the rows of one process in order of time; those of one moment keep their order. */
static void
sort_rows(struct sorting *s, struct sb_raw_op *row, size_t n)
{
    size_t i = 1;
    while (i < n && key_of(&row[i - 1]) <= key_of(&row[i]))
        i++;
    if (i >= n)
        return;
    SB_RESERVE(&s->key, n);
    SB_RESERVE(&s->tmp, n);
    SB_RESERVE(&s->row, n);
    for (i = 0; i < n; i++)
        s->key.at[i] = (struct sb_sort_key){key_of(&row[i]), i};
    sb_sort_radix(s->key.at, s->tmp.at, n);
    for (i = 0; i < n; i++)
        s->row.at[i] = row[s->key.at[i].value];
    memcpy(row, s->row.at, n * sizeof *row);
}

static void
sort_each(struct sb_ops_build *b)
{
    struct sorting s = {0};
    for (size_t i = 0, k; i < b->raw.n; i = k) {
        for (k = i + 1; k < b->raw.n && b->raw.at[k].process == b->raw.at[i].process;)
            k++;
        sort_rows(&s, b->raw.at + i, k - i);
    }
    SB_VEC_FREE(&s.key);
    SB_VEC_FREE(&s.tmp);
    SB_VEC_FREE(&s.row);
}

void
sb_ops_order(struct sb_ops_build *b)
{
    size_t *place = calloc(b->h.n_processes + 2, sizeof *place), n = b->raw.n;
    if (!place)
        sb_out_of_memory((b->h.n_processes + 2) * sizeof *place);
    struct sb_raw_op *by_process = sb_realloc_or_die(NULL, sb_mul_or_die(n + 1, sizeof *by_process));
    for (size_t i = 0; i < n; i++)
        place[b->raw.at[i].process + 1]++;
    for (uint64_t id = 1; id < b->h.n_processes + 2; id++)
        place[id] += place[id - 1];
    for (size_t i = 0; i < n; i++)
        by_process[place[b->raw.at[i].process]++] = b->raw.at[i];
    free(place);
    free(b->raw.at);
    b->raw.at = by_process;
    b->raw.cap = n + 1;
    sort_each(b);
}

/* ---- messages ---- */

#define NONE UINT32_MAX
#define SECOND 0x80000000u /* of a message's new number: another row stands for its send */

/* What ended a wait and what was fetched then or later are one message if they were sent at one moment. Returns for
 * each row's message the one that stands for it, or NONE. */
static uint32_t *
find_same(const struct sb_ops_build *b)
{
    size_t n = b->message.n;
    uint32_t *same = sb_realloc_or_die(NULL, (n + 1) * sizeof *same),
             *woke = calloc(b->h.n_processes + 1, sizeof *woke); /* by sender: its last wake + 1 */
    if (!woke)
        sb_out_of_memory((b->h.n_processes + 1) * sizeof *woke);
    memset(same, 0xff, (n + 1) * sizeof *same);
    for (size_t i = 0; i < b->raw.n; i++) {
        const struct sb_raw_op *r = &b->raw.at[i];
        if (r->kind != SB_OP_RECV)
            continue;
        const struct sb_raw_message *m = &b->message.at[r->arg];
        uint32_t w = woke[m->from];
        if (r->woken)
            woke[m->from] = r->arg + 1;
        else if (w > 0 && b->message.at[w - 1].to == r->process && b->message.at[w - 1].sent == m->sent)
            same[r->arg] = w - 1;
    }
    free(woke);
    return same;
}

/* Numbers the messages in the order of their sends, so that a replay finds neighbours in memory. Returns the new number
 * of each row's message. */
static uint32_t *
number_messages(struct sb_ops_build *b)
{
    struct sb_ops *o = b->o;
    size_t n = b->message.n;
    uint32_t *number = sb_realloc_or_die(NULL, (n + 1) * sizeof *number), *same = find_same(b);
    o->sender = sb_realloc_or_die(NULL, (n + 1) * sizeof *o->sender);
    o->receiver = sb_realloc_or_die(NULL, (n + 1) * sizeof *o->receiver);
    for (size_t i = 0; i < b->raw.n; i++) {
        const struct sb_raw_op *r = &b->raw.at[i];
        if (r->kind != SB_OP_SEND || same[r->arg] != NONE)
            continue;
        o->sender[o->n_messages] = b->message.at[r->arg].from;
        o->receiver[o->n_messages] = b->message.at[r->arg].to;
        number[r->arg] = o->n_messages++;
    }
    for (size_t m = 0; m < n; m++)
        if (same[m] != NONE)
            number[m] = number[same[m]] | SECOND;
    free(same);
    return number;
}

/* ---- operations ---- */

struct writing {
    const struct sb_ops_build *b;
    const uint32_t *number; /* by message of a row */
    uint32_t n;             /* operations */
};

/* Writes the operations of a process; returns the index of its first row that was not taken. */
static size_t
write_line(struct writing *w, uint64_t id, size_t i)
{
    struct sb_ops *o = w->b->o;
    struct sb_work_clock c = sb_work_clock_of(&w->b->h, id);
    int64_t before = 0, sum = 0;
    o->from[id] = w->n;
    o->process[id] = (uint32_t)id;
    for (; i < w->b->raw.n && w->b->raw.at[i].process == id; i++) {
        const struct sb_raw_op *r = &w->b->raw.at[i];
        bool is_message = r->kind == SB_OP_SEND || r->kind == SB_OP_RECV;
        uint32_t arg = is_message ? w->number[r->arg] : r->arg;
        if (r->kind == SB_OP_SEND && arg & SECOND)
            continue;
        int64_t until = sb_work_until(&c, r->at), work = (int64_t)(o->scale[id] * (double)(until - before));
        before = until;
        o->at[w->n] = r->at;
        o->op[w->n++] =
            (struct sb_op){work, arg & ~(is_message ? SECOND : 0), r->kind, r->woken, r->unexplained};
        o->n_receives += r->kind == SB_OP_RECV;
        sum += work;
    }
    o->rest_ns[id] = (int64_t)(o->scale[id] * (double)(sb_work_until(&c, o->end_ns) - before));
    o->work_ns += sum + o->rest_ns[id];
    return i;
}

void
sb_ops_write(struct sb_ops_build *b)
{
    struct sb_ops *o = b->o;
    uint64_t lines = o->n_lines + 2;
    sort_each(b);
    uint32_t *number = number_messages(b);
    struct writing w = {.b = b, .number = number};
    o->from = sb_realloc_or_die(NULL, sb_mul_or_die(lines, sizeof *o->from));
    o->rest_ns = sb_realloc_or_die(NULL, sb_mul_or_die(lines, sizeof *o->rest_ns));
    o->process = sb_realloc_or_die(NULL, sb_mul_or_die(lines, sizeof *o->process));
    o->op = sb_realloc_or_die(NULL, sb_mul_or_die(b->raw.n + 1, sizeof *o->op));
    o->at = sb_realloc_or_die(NULL, sb_mul_or_die(b->raw.n + 1, sizeof *o->at));
    o->from[0] = 0;
    o->rest_ns[0] = o->process[0] = 0;
    size_t i = 0;
    for (uint64_t id = 1; id <= o->n_lines; id++)
        i = write_line(&w, id, i);
    o->from[o->n_lines + 1] = w.n;
    free(number);
}
