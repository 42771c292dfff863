#include "engine/edges.h"
#include "engine/edge_runs.h"
#include "engine/run.h"

enum { SMALLEST = 16, EACH = 21845 /* bytes of memory for one open edge in each part */ };
#define QUIET_NS INT64_C(10000000000) /* so long */

/* ---- the open ones ---- */

static size_t
home_of(const struct sb_edges *v, const struct sb_edge *e)
{
    return sb_mix64(sb_edge_pair(e->sender, e->receiver)) & (v->cap - 1);
}

/* Where the pair is, or belongs. */
static struct sb_edge *
probe(const struct sb_edges *v, const struct sb_edge *e)
{
    size_t i = home_of(v, e);
    while (v->slot[i].receiver && (v->slot[i].receiver != e->receiver || v->slot[i].sender != e->sender))
        i = (i + 1) & (v->cap - 1);
    return &v->slot[i];
}

static void
grow(struct sb_edges *v)
{
    struct sb_edges old = *v;
    v->cap = old.cap ? sb_mul_or_die(old.cap, 2) : SMALLEST;
    v->slot = calloc(v->cap, sizeof *v->slot);
    if (!v->slot)
        sb_out_of_memory(sb_mul_or_die(v->cap, sizeof *v->slot));
    for (size_t i = 0; i < old.cap; i++)
        if (old.slot[i].receiver)
            *probe(v, &old.slot[i]) = old.slot[i];
    free(old.slot);
}

/* Closes the hole by moving back what had been pushed past it. */
static void
empty(struct sb_edges *v, size_t hole)
{
    size_t mask = v->cap - 1;
    for (size_t i = (hole + 1) & mask; v->slot[i].receiver; i = (i + 1) & mask)
        if (((i - home_of(v, &v->slot[i])) & mask) >= ((i - hole) & mask)) {
            v->slot[hole] = v->slot[i];
            hole = i;
        }
    v->slot[hole].receiver = 0;
    v->n--;
}

/* ---- counting ---- */

static void
settle(struct sb_edges *v, struct sb_edge *late)
{
    if (v->n >= v->cap / 4 * 3)
        grow(v);
    struct sb_edge *e = probe(v, late);
    if (e->receiver)
        sb_edge_add(e, late);
    else {
        *e = *late;
        v->n++;
    }
    late->receiver = 0;
}

void
sb_edges_settle(struct sb_part *x)
{
    for (unsigned i = 0; i < SB_EDGES_LATE; i++)
        if (x->edges.late[i].receiver)
            settle(&x->edges, &x->edges.late[i]);
}

void
sb_edges_count(struct sb_part *x, const struct sb_proc *p, const struct sb_sent *s, int64_t took_ns)
{
    struct sb_edges *v = &x->edges;
    struct sb_edge *late = &v->late[v->next_late++ % SB_EDGES_LATE];
    bool taken = took_ns != SB_NEVER_TAKEN;
    int64_t at = sb_rel(x->run, s->at);
    if (late->receiver)
        settle(v, late);
    late->sender = s->sender;
    late->receiver = p->id;
    late->count = 1;
    late->words = late->max_words = s->words == SB_UNKNOWN ? 0 : s->words;
    late->ext = s->ext == SB_UNKNOWN ? 0 : s->ext;
    late->matched = taken;
    late->latency = late->max_latency = taken ? took_ns : 0;
    late->first = late->last = at;
    if (v->cap == 0)
        return;
    const char *home = (const char *)&v->slot[home_of(v, late)];
    __builtin_prefetch(home, 1);
    __builtin_prefetch(home + sizeof *late - 1, 1);
}

/* ---- what is quiet */

static void
put_away_since(struct sb_part *x, int64_t since)
{
    struct sb_edges *v = &x->edges;
    for (size_t i = 0; i < v->cap;)
        if (v->slot[i].receiver && v->slot[i].last < since) {
            sb_edge_runs_put(x, &v->slot[i]);
            empty(v, i); /* another one may stand there now */
        } else
            i++;
}

/* Those that have been quiet for long; should many be open even so, those that have been for less. */
void
sb_edges_sweep(struct sb_part *x)
{
    const struct sb_run *r = x->run;
    struct sb_edges *v = &x->edges;
    size_t many = sb_memory(r) / EACH;
    sb_edges_settle(x);
    if (v->n * 3 < many * 2 || v->n < v->sweep_at || r->window_end == INT64_MAX)
        return;
    for (int64_t quiet = QUIET_NS;; quiet /= 2) {
        put_away_since(x, sb_rel(r, r->window_end) - quiet);
        if (v->n <= many / 2 || quiet == 0)
            break;
    }
    v->sweep_at = v->n * 2 < many ? v->n * 2 : many;
}

void
sb_edges_free(struct sb_part *x)
{
    free(x->edges.slot);
    sb_edge_runs_free(x);
}
