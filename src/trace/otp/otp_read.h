/*
 * Readers that every record needs many times, inline: each moves d->p past the term it read. They decode the
 * usual forms and leave the rest to otp_term.c.
 */
#pragma once
#include "trace/otp/otp_bytes.h"
#include "trace/otp/otp_impl.h"

static inline bool
otp_short_of(const struct otp_decoder *d, uint64_t bytes)
{
    return (uint64_t)(d->end - d->p) < bytes;
}
static inline uint8_t
otp_peek(const struct otp_decoder *d) /* 0, which is not a tag, at the end */
{
    return d->p < d->end ? *d->p : 0;
}

static inline bool
otp_small_int(struct otp_decoder *d, int64_t *v)
{
    if (otp_short_of(d, 2) || d->p[0] != SB_ETF_SMALL_INT)
        return false;
    *v = d->p[1];
    d->p += 2;
    return true;
}

/* Reads a process of the traced node with numbers that fit sb_actor. */
static inline bool
otp_usual_pid(struct otp_decoder *d, sb_actor *who)
{
    enum { NUMBERS = 12 };
    const struct otp_node *local = &d->state->local;
    const uint8_t *numbers = d->p + 1 + local->n;
    if (otp_short_of(d, 1 + local->n + NUMBERS) || d->p[0] != SB_ETF_NEW_PID || !local->known ||
        !otp_same_bytes(d->p + 1, local->raw, local->n) || sb_get_be32(numbers + 8) != local->creation)
        return false;
    uint32_t number = sb_get_be32(numbers), serial = sb_get_be32(numbers + 4);
    if (number > 0xfffffff || serial > 0xffffff)
        return false;
    *who = sb_actor_make(SB_PID, 0, serial, number);
    d->p = numbers + NUMBERS;
    return true;
}
