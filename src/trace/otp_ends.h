/*
 * What nearly all records begin and end with, read inline: enough to tell whose a record is, and when and what happened,
 * without what stands between.
 */
#ifndef SB_TRACE_OTP_ENDS_H
#define SB_TRACE_OTP_ENDS_H
#include "trace/otp_read.h"

/*
 * Nearly all records of a trace begin in one of two ways up to the numbers of the process: head atom (trace_ts
 * or profile), pid tag, atom of the node. These bytes are remembered, and what begins with them and has the
 * same creation is of the traced node. Which of the two it may be, the length of the head tells.
 */
static inline struct otp_start *
otp_start_of(struct otp_decoder *d, const uint8_t *head)
{
    return &d->start[head[2] % OTP_STARTS];
}

/* The process of a record that begins as others did, and its head, or none; d->p is at the version byte. */
static inline enum otp_atom
otp_usual_start(struct otp_decoder *d, sb_actor *who)
{
    enum { NUMBERS = 12 };
    const uint8_t *head = d->p + 3;
    if (otp_short_of(d, 3 + NUMBERS) || d->p[0] != OTP_VERSION || d->p[1] != EXT_SMALL_TUPLE)
        return OTP_NO_ATOM;
    const struct otp_start *start = otp_start_of(d, head);
    const uint8_t *numbers = head + start->n;
    if (start->n == 0 || d->end - numbers < NUMBERS || !otp_same_bytes(head, start->raw, start->n))
        return OTP_NO_ATOM;
    uint32_t number = sb_get_be32(numbers), serial = sb_get_be32(numbers + 4);
    if (sb_get_be32(numbers + 8) != start->creation || number > 0xfffffff || serial > 0xffffff)
        return OTP_NO_ATOM;
    *who = sb_actor_make(SB_PID, 0, serial, number);
    d->p = numbers + NUMBERS;
    return start->head;
}

/*
 * {MegaSec, Sec, MicroSec} as nearly every record ends with it: n bytes, of which the first number takes five,
 * the others five or two. With numbers as these nothing else that ends there can look like one as well.
 *
 *     104 3   98 MegaSec   97 u8 or 98 Sec   97 u8 or 98 MicroSec
 */
enum { STAMP_SHORTEST = 11, STAMP_STEP = 3, STAMP_LONGEST = 17 };

static inline bool
otp_begins_stamp(const uint8_t *p)
{
    uint32_t head;
    memcpy(&head, p, sizeof head);
    return (head & 0xffffff) == (EXT_SMALL_TUPLE | 3 << 8 | EXT_INT << 16);
}

/* A number of 97 and one byte, or of 98 and four: n says which of them it must be. */
static inline bool
otp_stamp_part(const uint8_t *p, size_t n, uint32_t *v)
{
    enum { MOST = 999999 };
    bool is_short = n == 2 && p[0] == EXT_SMALL_INT;
    if (!is_short && (n != 5 || p[0] != EXT_INT))
        return false;
    *v = is_short ? p[1] : sb_get_be32(p + 1);
    return *v <= MOST;
}

static inline bool
otp_usual_stamp(const uint8_t *p, size_t n, int64_t *at_ns)
{
    enum { MEGASEC_MOST = 9000 }; /* so that nanoseconds fit 63 bits */
    if (n < STAMP_SHORTEST || n > STAMP_LONGEST || !otp_begins_stamp(p))
        return false;
    uint32_t mega = sb_get_be32(p + 3), sec, micro;
    size_t of_sec = p[7] == EXT_INT ? 5 : 2;
    if (mega > MEGASEC_MOST || n < 7 + of_sec + 2 || !otp_stamp_part(p + 7, of_sec, &sec) ||
        !otp_stamp_part(p + 7 + of_sec, n - 7 - of_sec, &micro))
        return false;
    *at_ns = (((int64_t)mega * 1000000 + sec) * 1000000 + micro) * 1000;
    return true;
}

/* The same, found from behind. */
static inline bool
otp_stamp_at_end(const uint8_t *from, const uint8_t *end, int64_t *at_ns)
{
    for (size_t n = STAMP_LONGEST; n >= STAMP_SHORTEST && n <= (size_t)(end - from); n -= STAMP_STEP)
        if (otp_begins_stamp(end - n))
            return otp_usual_stamp(end - n, n, at_ns);
    return false;
}

#endif
