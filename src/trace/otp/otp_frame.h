/*
 * Divides the frames of a file into blocks: from the start by one thread (otp_blocks.c), or ahead by many
 * (otp_scan.c).
 */
#pragma once
#include "trace/otp/otp_ext.h"
#include "trace/source_impl.h"

enum { OTP_HEADER = 5 };
enum otp_look { OTP_FRAME, OTP_DROP, OTP_END, OTP_CUT, OTP_BAD };

struct otp_block {
    struct sb_block b;
    uint64_t prev; /* start of its last record; the block's end if there is none */
    uint64_t drops, lost;
    bool ends_with_record;
};

static inline struct otp_block
otp_block_at(uint32_t file, uint64_t at)
{
    return (struct otp_block){.b = {.file = file, .at_byte = at, .first_ns = INT64_MIN, .last_ns = INT64_MAX},
                              .prev = at};
}

/* The place of a frame depends on the frame before it, so the next bytes are prefetched. */
static inline void
otp_fetch_ahead(const uint8_t *frame)
{
    enum { AHEAD = 1 << 10 };
    __builtin_prefetch(frame + AHEAD);
}

static inline enum otp_look
otp_look(const struct sb_file *f, uint64_t at, uint64_t *next)
{
    uint64_t left = f->n - at;
    if (left < OTP_HEADER)
        return left == 0 ? OTP_END : f->p[at] <= 1 ? OTP_CUT : OTP_BAD;
    const uint8_t *p = f->p + at;
    uint32_t size = sb_get_be32(p + 1);
    *next = at + OTP_HEADER;
    if (p[0] != 0)
        return p[0] == 1 ? OTP_DROP : OTP_BAD;
    *next += size;
    if (*next > f->n)
        return OTP_CUT;
    return size >= 2 && p[OTP_HEADER] == SB_ETF_VERSION ? OTP_FRAME : OTP_BAD;
}

static inline void
otp_take_record(struct otp_block *k, uint64_t at, uint64_t next)
{
    k->prev = at;
    k->ends_with_record = true;
    k->b.n_events++;
    k->b.size = next - k->b.at_byte;
}

/*
 * Appends frames to the block until it is large enough or reaches `until`; returns what follows it. `seen`,
 * if given, is called for each frame: that work hides the latency of loading the next one.
 */
static inline enum otp_look
otp_take(const struct sb_file *f, struct otp_block *k, uint64_t until,
         void (*seen)(void *ctx, const uint8_t *frame), void *ctx)
{
    enum { BLOCK = 512 << 10 };
    uint64_t full = k->b.at_byte + BLOCK, enough = full < until ? full : until;
    for (;;) {
        uint64_t at = k->b.at_byte + k->b.size, next = at;
        enum otp_look what = otp_look(f, at, &next);
        otp_fetch_ahead(f->p + at);
        if (what != OTP_FRAME && what != OTP_DROP)
            return what;
        if (at >= enough && what == OTP_FRAME && k->ends_with_record)
            return what;
        otp_take_record(k, at, next);
        if (what == OTP_DROP) {
            k->ends_with_record = false;
            k->prev = next;
            k->drops++;
            k->lost += sb_get_be32(f->p + at + 1);
        } else if (seen) {
            seen(ctx, f->p + at);
        }
    }
}

bool otp_is_head(const uint8_t *p, uint64_t left); /* the first atom of a record */
/* Returns the next plausible frame in [from, to), or `to`. The search looks for the first two bytes of a
 * payload. */
uint64_t otp_resynchronise(const struct sb_file *f, uint64_t from, uint64_t to);
