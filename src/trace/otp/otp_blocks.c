/*
 * The blocks of a trace in the order of its files.
 *
 * A frame that does not lead to another one is damaged: reading resumes at the next place that looks like a
 * frame which leads to another, and the bytes in between are counted.
 *
 * A block starts and ends with a record, unless damage or the end of the file cuts it. So drops between two
 * records are in the same block as both.
 */
#include "trace/otp/otp_impl.h"

enum { TRUSTED = 16 << 10 };

/* A frame with wrong content between valid frames counts as a record; the decoder reports it. */
static bool
leads_on(const struct sb_file *f, uint64_t at)
{
    uint64_t next = 0, ignored;
    if (otp_look(f, at, &next) == OTP_CUT || f->p[at] != 0)
        return false;
    enum otp_look then = otp_look(f, next, &ignored);
    return then == OTP_FRAME || then == OTP_END;
}

/* Returns whether the payload of a frame is one whole term. Used next to damage only, and limited to cheap
 * checks. */
static bool
is_whole(struct sb_source *s, const struct sb_file *f, uint64_t at)
{
    uint64_t size = sb_get_be32(f->p + at + 1);
    if (size > TRUSTED)
        return false;
    struct otp_decoder *d = otp_borrow(s);
    d->p = f->p + at + OTP_HEADER + 1;
    d->end = f->p + at + OTP_HEADER + size;
    bool whole = otp_skip(d) && d->p == d->end;
    otp_give_back(s, d);
    return whole;
}

static void
note_damage(struct sb_source *s, uint64_t at, uint64_t to)
{
    struct otp_state *st = s->state;
    const struct sb_file *f = &s->file[st->file].map;
    uint64_t next;
    enum otp_look what = otp_look(f, at, &next);
    if (what == OTP_CUT && to == f->n)
        sb_source_damaged(s, st->file, at, to - at, "cut off in the middle of a record");
    else if (what == OTP_CUT)
        sb_source_damaged(s, st->file, at, to - at, "a record of %u bytes reaches beyond the end of the file",
                          sb_get_be32(f->p + at + 1));
    else if (f->p[at] > 1)
        sb_source_damaged(s, st->file, at, to - at, "bad trace tag %u", f->p[at]);
    else
        sb_source_damaged(s, st->file, at, to - at, "a record that is not followed by another");
}

/*
 * Handles damage at the end of a block. If the last frame before it is not a whole term either, the length of
 * that frame was wrong, and the frame is not counted.
 */
static void
pass_damage(struct sb_source *s, struct otp_block *k)
{
    struct otp_state *st = s->state;
    const struct sb_file *f = &s->file[st->file].map;
    uint64_t from = k->b.at_byte + k->b.size;
    if (k->prev < from && !is_whole(s, f, k->prev)) {
        from = k->prev;
        k->b.n_events--;
        k->b.size = from - k->b.at_byte;
    }
    st->at = otp_resynchronise(f, from + 1, f->n);
    note_damage(s, from, st->at);
}

/* Appends frames to the block until it is large enough, or a block of the scan begins. */
static void
fill(struct sb_source *s, struct otp_block *k, uint64_t until)
{
    struct otp_state *st = s->state;
    const struct sb_file *f = &s->file[st->file].map;
    for (;;) {
        enum otp_look what = otp_take(f, k, until, NULL, NULL);
        uint64_t at = k->b.at_byte + k->b.size, next = at;
        if (what != OTP_BAD || !leads_on(f, at)) {
            st->at = at;
            if (what != OTP_FRAME && what != OTP_END)
                pass_damage(s, k);
            return;
        }
        otp_look(f, at, &next);
        otp_take_record(k, at, next);
    }
}

/* Checks for each block whether a file was truncated while it is read: its missing bytes must not be
 * touched. */
static bool
shrunk(struct sb_source *s)
{
    struct otp_state *st = s->state;
    struct sb_file *f = &s->file[st->file].map;
    uint64_t before = f->n;
    if (sb_file_recheck(f))
        return false;
    sb_source_damaged(s, st->file, f->n, before - f->n, "became shorter while it was read");
    return true;
}

/* Returns the block at the current place: from the scan, or else framed here. */
static struct otp_block
next_block(struct sb_source *s)
{
    struct otp_state *st = s->state;
    struct otp_block k = otp_block_at(st->file, st->at);
    uint64_t until = otp_scanned(s, &k);
    if (k.b.size > 0) {
        st->at += k.b.size;
        return k;
    }
    fill(s, &k, until);
    if (st->scan)
        otp_find_bounds(s, &k.b);
    return k;
}

bool
otp_next(struct sb_source *s, struct sb_block *b, struct sb_err *e)
{
    (void)e;
    struct otp_state *st = s->state;
    for (;;) {
        while (st->file < s->n_files && st->at >= s->file[st->file].map.n) {
            st->file++;
            st->at = 0;
        }
        if (st->file == s->n_files)
            return false;
        if (shrunk(s))
            continue;
        struct otp_block k = next_block(s);
        s->info.records += k.b.n_events - k.drops;
        sb_source_lost(s, SB_CLASSES, k.lost);
        if (k.b.n_events > 0) {
            *b = k.b;
            b->seq = st->seq++;
            return true;
        }
    }
}
