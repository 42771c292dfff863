/*
 * The blocks of a trace in the order of its files.
 *
 * Where a frame does not lead to another one, something is damaged: reading goes on at the next place that
 * looks like a frame which leads to another, and what lies between is counted.
 *
 * A block begins with a record and ends with one, unless damage or the end of the file cut it: what was
 * dropped between two records is in a block with both.
 */
#include "trace/otp_impl.h"

enum { TRUSTED = 16 << 10 };

/* A frame of a wrong content between right frames is a record all the same; the decoder will say what is
 * wrong. */
static bool
leads_on(const struct sb_file *f, uint64_t at)
{
    uint64_t next = 0, ignored;
    if (otp_look(f, at, &next) == OTP_CUT || f->p[at] != 0)
        return false;
    enum otp_look then = otp_look(f, next, &ignored);
    return then == OTP_FRAME || then == OTP_END;
}

/* Is the payload of this frame one whole term? Only asked beside damage, and only of what is quickly told. */
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
say_damage(struct sb_source *s, uint64_t at, uint64_t to)
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
        sb_source_damaged(s, st->file, at, to - at, "a record that does not lead to another");
}

/*
 * Reading stopped at the block's end. When the frame before it is no whole term either, it was that one's
 * length that led astray, and it does not count.
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
    say_damage(s, from, st->at);
}

/* Adds frames to the block until it is large enough, or something that was found ahead begins. */
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

/* A file that somebody cuts while it is read: what is gone must not be touched. Looked at for each block. */
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

/* The block that begins where reading is: as the scan found it, else by framing here. */
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
