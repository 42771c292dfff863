#include "live/drain/flight_trace.h"
#include "live/drain/drain_facts.h"
#include <unistd.h>

enum { GAPS_MAX = 4096, STEP_BYTES = 4 << 20, BLOCK_BYTES = 1 << 20 };

static const struct sb_layout *
layout_of(const struct sb_flight_trace *t)
{
    return t->window->layout;
}

/* ---- the head of a trace */

static bool
open_trace(struct sb_flight_trace *t, struct sb_err *e)
{
    struct sb_sbt_head head = sb_sbt_head_at(t->window->from_ns, layout_of(t)->os_pid);
    return sb_sbt_open(&t->out, t->part, &head, &(struct sb_sbt_options){.level = t->level}, e);
}

static bool
put_dictionary(struct sb_flight_trace *t, struct sb_err *e)
{
    const struct sb_layout *l = layout_of(t);
    uint64_t used = atomic_load_explicit(&l->rings->dict_used, memory_order_acquire);
    return used > l->dict_bytes || sb_drain_names_put(t->out, l, 0, used, e);
}

/* Records of the ring that has the facts. */
struct records {
    struct sb_flight_trace *t;
    struct sb_made made;
    struct sb_wire_state state;
};

static bool
flush(struct records *r, struct sb_err *e)
{
    return sb_made_put(&r->made, layout_of(r->t)->n_rings, r->made.base_ns, r->t->out, e);
}

static bool
put_record(struct records *r, const struct sb_wire_record *rec, struct sb_err *e)
{
    struct sb_made *m = &r->made;
    if (m->records.n >= BLOCK_BYTES)
        SB_TRY(flush(r, e));
    if (m->events++ == 0) {
        m->base_ns = rec->ev.at_ns;
        sb_wire_begin(&r->state, m->base_ns);
    }
    m->last_ns = rec->ev.at_ns;
    SB_RESERVE(&m->records, SB_WIRE_RECORD_MAX);
    sb_made_end(m, sb_wire_write(&r->state, m->records.at + m->records.n, rec));
    r->t->totals.kinds[rec->ev.kind]++;
    return true;
}

/* By id of a function: whether a process that was scheduled out in it waits. */
struct waiting {
    SB_VEC(uint8_t) fn;
};

static void
learn_waits(struct waiting *known, const struct sb_waits *w)
{
    struct sb_wire_state s;
    struct sb_wire_record r;
    sb_wire_begin(&s, 0);
    for (const uint8_t *p = w->made.records.at, *end = p + w->made.records.n;
         p < end && (p = sb_wire_read(&s, p, end, &r));) {
        SB_REACH(&known->fn, r.ev.waits.mfa);
        known->fn.at[r.ev.waits.mfa] = r.ev.waits.kind == 1;
    }
}

/* What is known from before the window: processes, names, functions that wait, names of functions. */
static bool
put_known(struct sb_flight_trace *t, const char *cwd, struct sb_err *e)
{
    struct sb_waits w;
    struct waiting waiting = {0};
    struct records r = {.t = t};
    struct sb_wire_record rec;
    sb_drain_facts_find(&w, t->out, layout_of(t), cwd);
    learn_waits(&waiting, &w);
    bool ok = sb_drain_facts_put(t->out, &w, layout_of(t), t->window->from_ns, t->window->from_ns, e);
    t->totals.kinds[SB_EV_waits] += w.made.taken;
    for (size_t i = 0;
         ok && sb_known_record(&t->window->known, i, t->window->from_ns, waiting.fn.at, waiting.fn.n, &rec);
         i++)
        ok = put_record(&r, &rec, e);
    ok = ok && flush(&r, e);
    sb_drain_facts_free(&w);
    SB_VEC_FREE(&waiting.fn);
    sb_made_close(&r.made);
    return ok;
}

/* ---- the events of a trace */

static bool
put_piece(struct sb_flight_trace *t, struct sb_err *e)
{
    struct sb_window_piece *p = &t->piece;
    for (unsigned i = 0; i < SB_KINDS_MAX; i++)
        t->totals.kinds[i] += p->kinds[i];
    for (unsigned i = 0; i < SB_CLASSES_MAX; i++)
        t->totals.dropped[i] += p->dropped[i];
    memset(p->kinds, 0, sizeof p->kinds);
    memset(p->dropped, 0, sizeof p->dropped);
    return p->packed ? sb_sbt_put_packed(t->out, p->packed, p->packed_bytes, e)
                     : sb_sbt_put(t->out, &p->head, p->raw.at, e);
}

/* Losses that begin after the trace are not of it. */
void
sb_flight_trace_lost(struct sb_flight_trace *t, struct sb_sbt_gap gap)
{
    if (gap.events == 0 || t->totals.n_gaps == GAPS_MAX || gap.from_ns > t->until_ns)
        return;
    gap.from_ns = gap.from_ns > t->window->from_ns ? gap.from_ns : t->window->from_ns;
    t->totals.dropped[gap.class_] += gap.events;
    t->gaps[t->totals.n_gaps++] = gap;
}

/* The chunks that the node still writes, and the losses after them. */
static bool
put_open(struct sb_flight_trace *t, unsigned i, struct sb_err *e)
{
    struct sb_ring *ring = sb_layout_ring(layout_of(t), i);
    uint64_t reported[SB_CLASSES_MAX], dropped[SB_CLASSES_MAX];
    int64_t from_ns = atomic_load(&ring->gap_from_ns);
    for (unsigned c = 0; c < SB_CLASSES_MAX; c++)
        dropped[c] = atomic_load(&ring->dropped[c]);
    memcpy(reported, ring->reported, sizeof reported);
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    for (; tail < head && head - tail <= layout_of(t)->ring[i].n_chunks; tail++) {
        for (unsigned c = 0; c < SB_CLASSES_MAX; c++)
            reported[c] += sb_layout_chunk(layout_of(t), i, tail)->dropped[c];
        if (sb_window_open_piece(t->window, i, tail, t->until_ns, &t->piece))
            SB_TRY(put_piece(t, e));
    }
    for (unsigned c = 0; c < SB_CLASSES_MAX && from_ns != SB_AT_UNKNOWN; c++)
        sb_flight_trace_lost(
            t, (struct sb_sbt_gap){.from_ns = from_ns,
                                   .ring = i,
                                   .lane = atomic_load(&ring->lane),
                                   .class_ = (uint16_t)c,
                                   .events = dropped[c] > reported[c] ? dropped[c] - reported[c] : 0});
    return true;
}

static bool
put_marks(struct sb_flight_trace *t, const struct sb_flight_cause *cause, unsigned n, struct sb_err *e)
{
    struct records r = {.t = t};
    bool ok = true;
    for (unsigned i = 0; i < n && ok; i++) {
        const struct sb_flight_cause *c = &cause[i];
        uint8_t text[1 + SB_ASK_WHY];
        size_t len = strlen(c->why);
        struct sb_wire_record rec = {.ev = sb_event_of(SB_EV_mark), .text = text};
        rec.ev.at_ns = c->at_ns < t->until_ns ? c->at_ns : t->until_ns;
        text[0] = (uint8_t)len;
        memcpy(text + 1, c->why, len);
        ok = put_record(&r, &rec, e) && flush(&r, e);
    }
    sb_made_close(&r.made);
    return ok;
}

/* ---- a trace from begin to end */

/* The open chunks go first, so that the dictionary names all that they mention. */
bool
sb_flight_trace_begin(struct sb_flight_trace *t, const struct sb_flight_cause *cause, unsigned n_causes,
                      const char *cwd, struct sb_err *e)
{
    if (!t->gaps)
        t->gaps = sb_realloc_or_die(NULL, sizeof *t->gaps * GAPS_MAX);
    t->totals = (struct sb_sbt_trailer){.end_ns = t->until_ns};
    SB_TRY(open_trace(t, e));
    for (unsigned i = 0; i < layout_of(t)->n_rings; i++)
        SB_TRY(put_open(t, i, e));
    t->at = t->window->first;
    t->end = t->window->block.n;
    return put_dictionary(t, e) && put_known(t, cwd, e) && put_marks(t, cause, n_causes, e);
}

bool
sb_flight_trace_step(struct sb_flight_trace *t, bool *done, struct sb_err *e)
{
    uint64_t before = sb_sbt_bytes(t->out);
    for (; t->at < t->end && sb_sbt_bytes(t->out) - before < STEP_BYTES; t->at++)
        if (sb_window_piece(t->window, t->at, t->until_ns, &t->piece))
            SB_TRY(put_piece(t, e));
    *done = t->at == t->end;
    return true;
}

bool
sb_flight_trace_finish(struct sb_flight_trace *t, uint64_t cpu_ns, struct sb_err *e)
{
    const struct sb_window *w = t->window;
    uint64_t before = w->first < t->end ? w->block.at[w->first].cpu_ns : cpu_ns;
    t->totals.drain_cpu_ns = cpu_ns > before ? cpu_ns - before : 0;
    for (unsigned k = 0; k < SB_KINDS_MAX; k++)
        t->totals.events += t->totals.kinds[k];
    SB_TRY(sb_sbt_finish(t->out, &t->totals, t->gaps, e));
    if (rename(t->part, t->path) < 0)
        return sb_err_errno(e, "rename the trace");
    *t->part = 0;
    return true;
}

void
sb_flight_trace_end(struct sb_flight_trace *t)
{
    sb_sbt_close(t->out);
    t->out = NULL;
    if (*t->part)
        unlink(t->part);
    *t->part = *t->path = 0;
}

void
sb_flight_trace_close(struct sb_flight_trace *t)
{
    sb_flight_trace_end(t);
    SB_VEC_FREE(&t->piece.raw);
    free(t->gaps);
}
