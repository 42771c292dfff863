/*
 * The readers that every record needs many times, inline: each moves d->p behind what it read. What they know
 * at once is what nearly every record is made of; the rest they leave to otp_term.c and otp_names.c.
 */
#ifndef SB_TRACE_OTP_READ_H
#define SB_TRACE_OTP_READ_H
#include "trace/otp_bytes.h"
#include "trace/otp_impl.h"

static inline bool
otp_short_of(const struct otp_decoder *d, uint64_t bytes)
{
    return (uint64_t)(d->end - d->p) < bytes;
}
static inline uint8_t
otp_peek(const struct otp_decoder *d) /* 0, which is no tag, at the end */
{
    return d->p < d->end ? *d->p : 0;
}

static inline bool
otp_small_int(struct otp_decoder *d, int64_t *v)
{
    if (otp_short_of(d, 2) || d->p[0] != EXT_SMALL_INT)
        return false;
    *v = d->p[1];
    d->p += 2;
    return true;
}

/* Where an atom of these words is kept, if it is. */
static inline struct otp_short *
otp_place(struct otp_decoder *d, const uint64_t word[2])
{
    uint64_t hash = word[0] * 0x9e3779b97f4a7c15u + word[1] * 0xc2b2ae3d27d4eb4fu;
    return &d->shorts[hash >> (64 - OTP_SHORT_BITS)];
}

static inline bool
otp_atom(struct otp_decoder *d, uint32_t *id)
{
    enum { ROOM = 16 };
    uint64_t word[2];
    uint32_t n;
    if (otp_short_of(d, ROOM) || (n = otp_atom_size(d->p)) > ROOM)
        return otp_long_atom(d, id);
    otp_two_words(d->p, n, word);
    const struct otp_short *s = otp_place(d, word);
    if (s->word[0] != word[0] || s->word[1] != word[1] || s->id == 0)
        return otp_short_atom(d, word, id);
    *id = s->id;
    d->p += n;
    return true;
}

/* A process of the traced node whose numbers are no odd ones. */
static inline bool
otp_usual_pid(struct otp_decoder *d, sb_actor *who)
{
    enum { NUMBERS = 12 };
    const struct otp_node *local = &d->state->local;
    const uint8_t *numbers = d->p + 1 + local->n;
    if (otp_short_of(d, 1 + local->n + NUMBERS) || d->p[0] != EXT_PID || !local->known ||
        !otp_same_bytes(d->p + 1, local->raw, local->n) || sb_get_be32(numbers + 8) != local->creation)
        return false;
    uint32_t number = sb_get_be32(numbers), serial = sb_get_be32(numbers + 4);
    if (number > 0xfffffff || serial > 0xffffff)
        return false;
    *who = sb_actor_make(SB_PID, 0, serial, number);
    d->p = numbers + NUMBERS;
    return true;
}

#endif
