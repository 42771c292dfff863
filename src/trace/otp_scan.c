/*
 * Looking at all of a file first, on all threads, so that blocks tell their bounds and what is in them.
 *
 * Threads take a stretch of the file each, and begin at the first place in it that looks like a frame. Whether it was
 * one shows when framing comes there (otp_blocks.c): a block that begins where framing is holds, the others
 * are forgotten, and what lies between is framed then.
 *
 * Of nearly every record a glance at its ends tells kind and stamp. So that not even a damaged one can lead
 * astray, the records that say something new are decoded: the first of a kind, the earliest, the latest.
 */
#include "trace/otp_ends.h"
#include <stdlib.h>

enum { STRETCH = 8 << 20 };

struct stretch {
    uint32_t file;
    uint64_t from, to;
    SB_VEC(struct otp_block) of;
};
struct otp_scan {
    SB_VEC(struct stretch) stretches;
    size_t stretch, block; /* the next to be handed out */
};

/* ---- bounds */

struct bounds {
    struct otp_decoder *d;
    const uint8_t *first, *last; /* the records with these stamps */
    int64_t first_ns, last_ns;
    uint64_t kinds;
    bool untimed; /* some record has no stamp */
    bool dropped;
};

static bool
decode(struct bounds *b, const uint8_t *frame, struct sb_event *ev)
{
    return otp_record(b->d, frame + OTP_HEADER, sb_get_be32(frame + 1), ev);
}

static void
note(struct bounds *b, const uint8_t *frame, unsigned kind, int64_t at_ns)
{
    b->kinds |= UINT64_C(1) << kind;
    b->untimed |= at_ns == SB_AT_UNKNOWN;
    if (at_ns != SB_AT_UNKNOWN && (!b->first || at_ns < b->first_ns)) {
        b->first = frame;
        b->first_ns = at_ns;
    }
    if (at_ns != SB_AT_UNKNOWN && (!b->last || at_ns > b->last_ns)) {
        b->last = frame;
        b->last_ns = at_ns;
    }
}

/* What its ends say of a record of the usual shape; false: it has another one. */
static inline bool
glance(struct otp_decoder *d, const uint8_t *payload, uint32_t size, unsigned *kind, int64_t *at_ns)
{
    sb_actor who;
    uint32_t atom;
    d->p = payload;
    d->end = payload + size;
    enum otp_atom head = d->clock == OTP_CLOCK_TUPLE ? otp_usual_start(d, &who) : OTP_NO_ATOM;
    if (head == OTP_NO_ATOM || !otp_atom(d, &atom) || atom >= OTP_ATOMS)
        return false;
    unsigned arity = payload[2];
    if (head == OTP_profile) {
        *kind = atom == OTP_active ? SB_EV_active : SB_EV_inactive;
        return arity == 5 && (atom == OTP_active || atom == OTP_inactive) &&
               otp_stamp_at_end(d->p, d->end, at_ns);
    }
    *kind = otp_tags[atom].kind;
    return otp_tags[atom].args && arity >= 4u + otp_tags[atom].n_args && otp_stamp_at_end(d->p, d->end, at_ns);
}

static void
look_at_ends(void *bounds, const uint8_t *frame)
{
    struct bounds *b = bounds;
    struct sb_event ev;
    unsigned kind;
    int64_t at_ns;
    if (glance(b->d, frame + OTP_HEADER, sb_get_be32(frame + 1), &kind, &at_ns) && b->kinds >> kind & 1)
        note(b, frame, kind, at_ns);
    else if (decode(b, frame, &ev))
        note(b, frame, ev.kind, ev.at_ns);
}

static void
look_at_all(struct bounds *b, const uint8_t *p, const uint8_t *end)
{
    struct sb_event ev;
    while (end - p >= OTP_HEADER) {
        uint32_t size = p[0] == 1 ? 0 : sb_get_be32(p + 1);
        if (size > (uint64_t)(end - p) - OTP_HEADER)
            break;
        if (p[0] == 1)
            b->dropped = true;
        else if (decode(b, p, &ev))
            note(b, p, ev.kind, ev.at_ns);
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
tell_bounds(const struct bounds *b, struct sb_block *block)
{
    bool untimed = b->untimed || (b->dropped && !b->first); /* else drops stand with their neighbours */
    block->first_ns = b->first && !untimed ? b->first_ns : INT64_MIN;
    block->last_ns = b->last ? b->last_ns : INT64_MIN;
    block->kinds = b->kinds | (uint64_t)b->dropped << SB_EV_drop;
}

void
otp_find_bounds(struct sb_source *s, struct sb_block *block)
{
    const uint8_t *p = s->file[block->file].map.p + block->at_byte;
    struct bounds b = {.d = otp_borrow(s)};
    look_at_all(&b, p, p + block->size);
    tell_bounds(&b, block);
    otp_give_back(s, b.d);
}

/* ---- stretches */

/* Damage is left to those who frame: the block before it is forgotten. The pages go together: each time costs. */
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
        struct bounds b = {.d = d};
        enum otp_look what = otp_take(f, &k, x->to, look_at_ends, &b);
        at += k.b.size;
        if (what == OTP_FRAME || what == OTP_END) {
            b.dropped = k.drops > 0;
            if (!is_at(&b, b.first, b.first_ns) || !is_at(&b, b.last, b.last_ns))
                otp_find_bounds(s, &k.b);
            else
                tell_bounds(&b, &k.b);
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
    st->scan = calloc(1, sizeof *st->scan);
    if (!st->scan)
        sb_out_of_memory(sizeof *st->scan);
    for (uint32_t i = 0; i < s->n_files; i++)
        for (uint64_t from = 0, n = s->file[i].map.n; from < n; from += STRETCH)
            *SB_PUSH(&st->scan->stretches) =
                (struct stretch){.file = i, .from = from, .to = from + STRETCH < n ? from + STRETCH : n};
    sb_pool_each(pool, st->scan->stretches.n, scan_stretch, s);
}

/* The next block of the scan that is not before `at`. */
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
    uint64_t end = s->file[k->b.file].map.n; /* it may have become shorter */
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
