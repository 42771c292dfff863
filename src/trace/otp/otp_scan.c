/*
 * Scans a whole file first, on all threads, to learn the time bounds and the kinds of its blocks.
 *
 * Each thread takes a section of the file and starts at the first plausible frame in it. Framing
 * (otp_blocks.c) later shows whether it really was a frame: a block that starts where framing arrives is
 * valid, the others are dropped, and the gap is framed then.
 *
 * The ends of nearly every record show its kind and time stamp. A damaged record could mislead here, so the
 * records that set a bound are decoded: the first of each kind, the earliest, the latest.
 */
#include "trace/otp/otp_ends.h"

enum { STRETCH = 8 << 20 };

struct stretch {
    uint32_t file;
    uint64_t from, to;
    SB_VEC(struct otp_block) of;
};
struct otp_scan {
    SB_VEC(struct stretch) stretches;
    size_t stretch, block; /* the next ones to hand out */
};

/* ---- bounds */

struct bounds {
    struct otp_decoder *d;
    const uint8_t *first, *last; /* the records with these time stamps */
    int64_t first_ns, last_ns;
    uint64_t kinds;
    bool untimed; /* a record has no time stamp */
    bool dropped;
};

static struct bounds
no_bounds(struct otp_decoder *d)
{
    return (struct bounds){.d = d, .first_ns = INT64_MAX, .last_ns = INT64_MIN};
}

static bool
decode(struct bounds *b, const uint8_t *frame, struct sb_event *ev)
{
    return otp_record(b->d, frame + OTP_HEADER, sb_get_be32(frame + 1), ev);
}

static inline void
note_stamp(struct bounds *b, const uint8_t *frame, int64_t at_ns)
{
    if (at_ns <= b->first_ns) {
        b->first = frame;
        b->first_ns = at_ns;
    }
    if (at_ns > b->last_ns) {
        b->last = frame;
        b->last_ns = at_ns;
    }
}

static __attribute__((noinline)) void
decode_and_note(struct bounds *b, const uint8_t *frame)
{
    struct sb_event ev;
    if (!decode(b, frame, &ev))
        return;
    b->kinds |= UINT64_C(1) << ev.kind;
    if (ev.at_ns == SB_AT_UNKNOWN)
        b->untimed = true;
    else
        note_stamp(b, frame, ev.at_ns);
}

static inline void
look_at_ends(void *bounds, const uint8_t *frame)
{
    struct bounds *b = bounds;
    struct otp_ends e;
    if (otp_usual_ends(b->d, frame + OTP_HEADER, sb_get_be32(frame + 1), &e) && b->kinds >> e.tag->kind & 1 &&
        otp_stamp(b->d->state, e.at_ns) != SB_AT_UNKNOWN)
        note_stamp(b, frame, e.at_ns);
    else
        decode_and_note(b, frame);
}

static void
look_at_all(struct bounds *b, const uint8_t *p, const uint8_t *end)
{
    while (end - p >= OTP_HEADER) {
        uint32_t size = p[0] == 1 ? 0 : sb_get_be32(p + 1);
        if (size > (uint64_t)(end - p) - OTP_HEADER)
            break;
        if (p[0] == 1)
            b->dropped = true;
        else
            decode_and_note(b, p);
        p += OTP_HEADER + size;
    }
}

static bool
is_at(struct bounds *b, const uint8_t *frame, int64_t at_ns)
{
    struct sb_event ev;
    return !frame || (decode(b, frame, &ev) && ev.at_ns == at_ns);
}

static void
put_bounds(const struct bounds *b, struct sb_block *block)
{
    /* else drops have the time of their neighbours */
    bool untimed = b->untimed || (b->dropped && !b->first);
    block->first_ns = b->first && !untimed ? b->first_ns : INT64_MIN;
    block->last_ns = b->last_ns;
    block->kinds = b->kinds | (uint64_t)b->dropped << SB_EV_drop;
}

void
otp_find_bounds(struct sb_source *s, struct sb_block *block)
{
    const uint8_t *p = s->file[block->file].map.p + block->at_byte;
    struct bounds b = no_bounds(otp_borrow(s));
    look_at_all(&b, p, p + block->size);
    put_bounds(&b, block);
    otp_give_back(s, b.d);
}

/* ---- sections */

/* Leaves damage to framing: the block before it is dropped. Pages are released together, since each call
 * has a cost. */
static void
scan_stretch(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct sb_source *s = ctx;
    struct stretch *x = &((struct otp_state *)s->state)->scan->stretches.at[i];
    const struct sb_file *f = &s->file[x->file].map;
    uint64_t at = x->from == 0 ? 0 : otp_resynchronise(f, x->from, x->to);
    struct otp_decoder *d = otp_borrow(s);
    while (at < x->to) {
        struct otp_block k = otp_block_at(x->file, at);
        struct bounds b = no_bounds(d);
        enum otp_look what = otp_take(f, &k, x->to, look_at_ends, &b);
        at += k.b.size;
        if (what == OTP_FRAME || what == OTP_END) {
            b.dropped = k.drops > 0;
            if (!is_at(&b, b.first, b.first_ns) || !is_at(&b, b.last, b.last_ns))
                otp_find_bounds(s, &k.b);
            else
                put_bounds(&b, &k.b);
            *SB_PUSH(&x->of) = k;
        } else {
            at = otp_resynchronise(f, at + 1, x->to);
        }
    }
    otp_give_back(s, d);
    sb_source_done_with(s, &(struct sb_block){.file = x->file, .at_byte = x->from, .size = at - x->from});
}

void
otp_scan(struct sb_source *s, struct sb_pool *pool)
{
    struct otp_state *st = s->state;
    st->scan = sb_zeroed_or_die(1, sizeof *st->scan);
    for (uint32_t i = 0; i < s->n_files; i++)
        for (uint64_t from = 0, n = s->file[i].map.n; from < n; from += STRETCH)
            *SB_PUSH(&st->scan->stretches) =
                (struct stretch){.file = i, .from = from, .to = from + STRETCH < n ? from + STRETCH : n};
    sb_pool_each(pool, st->scan->stretches.n, scan_stretch, s);
}

/* Returns the next block of the scan at or after `at`. */
static const struct otp_block *
upcoming(struct otp_scan *scan, uint32_t file, uint64_t at)
{
    for (; scan->stretch < scan->stretches.n; scan->stretch++, scan->block = 0) {
        const struct stretch *x = &scan->stretches.at[scan->stretch];
        if (x->file > file)
            return NULL;
        for (; scan->block < x->of.n; scan->block++)
            if (x->file == file && x->of.at[scan->block].b.at_byte >= at)
                return &x->of.at[scan->block];
    }
    return NULL;
}

uint64_t
otp_scanned(struct sb_source *s, struct otp_block *k)
{
    struct otp_state *st = s->state;
    const struct otp_block *next = st->scan ? upcoming(st->scan, k->b.file, k->b.at_byte) : NULL;
    uint64_t end = s->file[k->b.file].map.n; /* the file may have shrunk */
    if (!next)
        return end;
    if (next->b.at_byte == k->b.at_byte && next->b.at_byte + next->b.size <= end)
        *k = *next;
    return next->b.at_byte;
}

void
otp_scan_close(struct otp_scan *scan)
{
    for (size_t i = 0; scan && i < scan->stretches.n; i++)
        SB_VEC_FREE(&scan->stretches.at[i].of);
    if (scan)
        SB_VEC_FREE(&scan->stretches);
    free(scan);
}
