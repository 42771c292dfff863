#include "fprof/pass.h"
#include "fprof/strict.h"
#include "base/pool.h"
#include "base/progress.h"

struct slot {
    uint64_t seq;
    bool decoded;
    unsigned parts_left;
    struct fp_piece piece;
    struct events {
        SB_VEC(struct fp_event) list;
    } * part;
    struct fp_stop stop;
    uint64_t bad_term, n_handled;
    int64_t first_t, last_t, min_t, max_t;
    struct fp_skipped skipped;
};

struct part {
    uint64_t next;  /* number of the next piece it needs */
    unsigned owner; /* the worker that simulated it last, whose CPU cache has its data */
    bool busy, stopped;
};

struct run {
    struct fp_pass *pass;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct slot *slot;
    size_t n_slots;
    struct part *part;
    uint64_t read, retired; /* numbers of pieces */
    bool reading, read_all, failed;
    struct sb_err err;
    struct sb_progress progress;
};

/* ---- decoding a piece */

static void
handle(struct run *r, struct slot *s, const struct fp_event *ev)
{
    if (ev->kind != FP_NOTHING)
        *SB_PUSH(&s->part[ev->pid & (r->pass->n_sims - 1)].list) = *ev;
    if (s->n_handled++ == 0)
        s->first_t = s->min_t = s->max_t = ev->t;
    s->last_t = ev->t;
    s->min_t = ev->t < s->min_t ? ev->t : s->min_t;
    s->max_t = ev->t > s->max_t ? ev->t : s->max_t;
}

static void
skip(struct slot *s, const struct fp_event *ev, const uint8_t *record)
{
    if (record[0] == FP_RECORD_DROP)
        s->skipped.dropped += sb_get_be32(record + 1);
    else if (ev->kind == FP_NO_TERM_AT_ALL)
        s->skipped.no_terms++;
    else
        s->skipped.records++;
}

static void
decode_record(struct run *r, struct slot *s, struct fp_decoder *d, const uint8_t *p, size_t n)
{
    struct fp_event ev = {.kind = FP_INCORRECT, .at = s->piece.at + (uint64_t)(p - s->piece.bytes)};
    uint32_t tracee = 0;
    bool limit = ev.at == r->pass->limit;
    if (p[0] == FP_RECORD_TERM)
        fp_decode(d, p + FP_RECORD_HEAD, p + n, &ev, &tracee);
    if (r->pass->strict && ev.kind >= FP_INCORRECT) {
        skip(s, &ev, p);
        return;
    }
    if (ev.kind == FP_NO_TERM_AT_ALL && s->bad_term == FP_NOWHERE)
        s->bad_term = ev.at;
    if (s->stop.at != FP_NOWHERE)
        return;
    if (limit || ev.kind >= FP_INCORRECT)
        s->stop = (struct fp_stop){ev.at, limit ? FP_NOTHING : ev.kind, tracee};
    if (r->pass->seen && !r->part[0].stopped && ev.kind != FP_NO_TERM_AT_ALL) {
        struct fp_piece record = {.bytes = (uint8_t *)p, .n = n, .at = ev.at};
        r->pass->seen(r->pass->ctx, &record, tracee, &ev);
    }
    if (s->stop.at == FP_NOWHERE)
        handle(r, s, &ev);
}

/* Decodes ordinary messages, which fprof has a clause for. Nearly all records take this short path. */
static bool
decode_plainly(struct run *r, struct slot *s, struct fp_decoder *d, const uint8_t *p, size_t n)
{
    struct fp_event ev = {.at = s->piece.at + (uint64_t)(p - s->piece.bytes)};
    uint32_t tracee;
    if (p[0] != FP_RECORD_TERM)
        return false;
    fp_decode(d, p + FP_RECORD_HEAD, p + n, &ev, &tracee);
    if (ev.kind >= FP_INCORRECT)
        return false;
    handle(r, s, &ev);
    return true;
}

static void simulate(struct run *r, struct slot *s, unsigned part);

static void
decode_piece(struct run *r, struct slot *s, unsigned worker)
{
    struct fp_decoder *d = &r->pass->decoder[worker];
    uint64_t limit = r->pass->limit;
    bool plain = !r->pass->seen && (limit < s->piece.at || limit - s->piece.at >= s->piece.n);
    s->stop.at = s->bad_term = FP_NOWHERE;
    s->n_handled = 0;
    s->skipped = (struct fp_skipped){0};
    for (unsigned i = 0; i < r->pass->n_sims; i++)
        s->part[i].list.n = 0;
    for (size_t at = 0, n; at < s->piece.n; at += n) {
        const uint8_t *p = s->piece.bytes + at;
        n = fp_record_bytes(p);
        if (plain && s->stop.at == FP_NOWHERE && decode_plainly(r, s, d, p, n))
            continue;
        decode_record(r, s, d, p, n);
        if (r->pass->seen) { /* the next call of `seen` needs the current stacks */
            simulate(r, s, 0);
            s->part[0].list.n = 0;
        }
    }
}

/* ---- simulating a part of a piece */

static void
simulate(struct run *r, struct slot *s, unsigned part)
{
    struct fp_sim *sim = &r->pass->sim[part];
    struct events *e = &s->part[part];
    for (size_t i = 0; i < e->list.n && !r->part[part].stopped; i++)
        r->part[part].stopped = !(sim->strict.on ? fp_strict_apply : fp_sim_apply)(sim, &e->list.at[i]);
    r->part[part].stopped |= s->stop.at != FP_NOWHERE;
}

/* ---- scheduling of work: all below runs under the lock unless noted */

static struct slot *
slot_of(struct run *r, uint64_t seq)
{
    return &r->slot[seq % r->n_slots];
}

static bool
has_work(struct run *r, const struct part *p)
{
    struct slot *s = slot_of(r, p->next);
    return !p->busy && p->next < r->read && s->seq == p->next && s->decoded;
}

static void
retire(struct run *r, struct slot *s)
{
    struct fp_pass *p = r->pass;
    if (p->stop.at == FP_NOWHERE && s->n_handled > 0) {
        bool first = p->n_handled == 0;
        p->first_t = first ? s->first_t : p->first_t;
        p->last_t = s->last_t;
        p->min_t = first || s->min_t < p->min_t ? s->min_t : p->min_t;
        p->max_t = first || s->max_t > p->max_t ? s->max_t : p->max_t;
        p->n_handled += s->n_handled;
    }
    if (p->stop.at == FP_NOWHERE)
        p->stop = s->stop;
    if (p->bad_term == FP_NOWHERE)
        p->bad_term = s->bad_term;
    p->skipped.records += s->skipped.records;
    p->skipped.no_terms += s->skipped.no_terms;
    p->skipped.dropped += s->skipped.dropped;
    s->decoded = false;
    r->retired++;
    sb_progress_set(&r->progress, s->piece.at + s->piece.n);
}

static bool
work_on_part(struct run *r, unsigned worker, bool any)
{
    for (unsigned i = 0; i < r->pass->n_sims; i++) {
        struct part *p = &r->part[i];
        if (!has_work(r, p) || (!any && p->owner != worker))
            continue;
        p->busy = true;
        p->owner = worker;
        while (p->busy) {
            struct slot *s = slot_of(r, p->next);
            pthread_mutex_unlock(&r->lock);
            simulate(r, s, i); /* without the lock */
            pthread_mutex_lock(&r->lock);
            if (r->pass->sim[i].thrown.why)
                r->read_all = true; /* later pieces have no effect */
            p->next++;
            if (--s->parts_left == 0)
                retire(r, s);
            p->busy = false;
            p->busy = has_work(r, p);
        }
        pthread_cond_broadcast(&r->changed);
        return true;
    }
    return false;
}

static bool
read_and_decode(struct run *r, unsigned worker)
{
    if (r->reading || r->read_all || r->read - r->retired >= r->n_slots)
        return false;
    struct slot *s = slot_of(r, r->read);
    r->reading = true;
    pthread_mutex_unlock(&r->lock);
    struct sb_err e = {0}; /* without the lock */
    bool fine = fp_input_next(r->pass->in, &s->piece, &r->pass->end, &e);
    if (fine && r->pass->strict && r->pass->end != FP_END && r->pass->end != FP_MORE) {
        r->pass->skipped.gap_bytes += fp_input_resync(r->pass->in);
        r->pass->end = FP_MORE;
    }
    pthread_mutex_lock(&r->lock);
    r->reading = false;
    if (!fine) {
        r->failed = true;
        r->err = e;
    }
    r->read_all |= !fine || r->pass->end != FP_MORE;
    if (fine && s->piece.n > 0) {
        s->seq = r->read++;
        s->parts_left = r->pass->n_sims;
        pthread_cond_broadcast(&r->changed);
        pthread_mutex_unlock(&r->lock);
        decode_piece(r, s, worker); /* without the lock */
        pthread_mutex_lock(&r->lock);
        s->decoded = true;
    }
    pthread_cond_broadcast(&r->changed);
    return true;
}

static void
work(void *ctx, size_t i, unsigned worker)
{
    struct run *r = ctx;
    (void)worker;
    pthread_mutex_lock(&r->lock);
    while (!r->failed && !(r->read_all && !r->reading && r->retired == r->read))
        if (!work_on_part(r, (unsigned)i, false) && !read_and_decode(r, (unsigned)i) &&
            !work_on_part(r, (unsigned)i, true))
            pthread_cond_wait(&r->changed, &r->lock);
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

/* ---- a pass */

static void
earliest_throw(struct fp_pass *p)
{
    p->thrown.why = FP_FINE;
    for (unsigned i = 0; i < p->n_sims; i++) {
        const struct fp_throw *t = &p->sim[i].thrown;
        if (t->why && (!p->thrown.why || t->event.at < p->thrown.event.at))
            p->thrown = *t;
    }
}

bool
fp_pass_run(struct fp_pass *p, struct sb_err *e)
{
    struct run r = {.pass = p, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    r.n_slots = p->n_threads == 1 ? 1 : p->n_threads * 4;
    r.slot = sb_zeroed_or_die(r.n_slots, sizeof *r.slot);
    r.part = sb_zeroed_or_die(p->n_sims, sizeof *r.part);
    for (size_t i = 0; i < r.n_slots; i++) {
        r.slot[i].part = sb_realloc_or_die(NULL, p->n_sims * sizeof(struct events));
        memset(r.slot[i].part, 0, p->n_sims * sizeof(struct events));
    }
    p->in->next = 0;
    p->stop.at = p->bad_term = FP_NOWHERE;
    p->n_handled = 0;
    p->skipped = (struct fp_skipped){0};
    sb_progress_open(&r.progress, "profiling", "MB", 1e6, p->in->size);
    struct sb_pool *pool = sb_pool_open(p->n_threads);
    sb_pool_each(pool, p->n_threads, work, &r);
    sb_pool_close(pool);
    sb_progress_close(&r.progress);
    earliest_throw(p);
    for (size_t i = 0; i < r.n_slots; i++) {
        for (unsigned j = 0; j < p->n_sims; j++)
            SB_VEC_FREE(&r.slot[i].part[j].list);
        free(r.slot[i].part);
        free(r.slot[i].piece.bytes);
    }
    free(r.slot);
    free(r.part);
    if (r.failed && e)
        *e = r.err;
    return !r.failed;
}
