/*
 * Decodes the beginning and the end of a typical record inline: its process, kind and time, without the part
 * in between.
 *
 *     131 104 Arity  Head  88 Node | Id Serial Creation | Tag | ... | {MegaSec, Sec, MicroSec}
 *     a start that is known          who                  kind        when
 */
#pragma once
#include "trace/otp/otp_read.h"

struct otp_ends {
    sb_actor who;
    int64_t at_ns;
    const struct otp_tag *tag;
    unsigned left;          /* elements between the tag and the time stamp */
    const uint8_t *at, *to; /* and their bytes */
};

/*
 * The records of a trace have few different starts (the bytes before the numbers of the process). A record
 * that begins with a known start and has its creation belongs to the traced node. The arity and the length of
 * the head select the start to compare with. The first bytes of a tag select its entry; up to OTP_TAG_PLACES
 * entries are searched.
 */
enum {
    OTP_START_BYTES = 16, /* minimum */
    OTP_NUMBERS = 12,
    OTP_TAG_BYTES = 16, /* maximum */
};

static inline struct otp_start *
otp_start_of(struct otp_decoder *d, const uint8_t *payload)
{
    return &d->start[(payload[2] + payload[5]) % OTP_STARTS];
}

static inline struct otp_known_tag *
otp_tag_places(struct otp_start *start, uint64_t first_word)
{
    return &start->tag[(uint32_t)first_word * 0x9e3779b1u >> (32 - OTP_TAG_BITS)];
}

static inline const struct otp_known_tag *
otp_find_tag(struct otp_start *start, const uint8_t *p)
{
    uint64_t first = otp_word(p), second = otp_word(p + 8);
    const struct otp_known_tag *t = otp_tag_places(start, first);
    for (unsigned i = 0; i < OTP_TAG_PLACES && t->tag; i++, t++)
        if ((first & t->mask[0]) == t->word[0] && (second & t->mask[1]) == t->word[1])
            return t;
    return NULL;
}

/*
 * {MegaSec, Sec, MicroSec} as it ends most records: n bytes, of which the first number takes five, the others
 * five or two. With numbers in these ranges no other term at the end of a record has the same bytes.
 *
 *     104 3   98 MegaSec   97 u8 or 98 Sec   97 u8 or 98 MicroSec
 */
enum { STAMP_SHORTEST = 11, STAMP_LONGEST = 17 };

static inline bool
otp_begins_stamp(const uint8_t *p)
{
    uint32_t head;
    memcpy(&head, p, sizeof head);
    return (head & 0xffffff) == (SB_ETF_SMALL_TUPLE | 3 << 8 | SB_ETF_INT << 16);
}

/* Returns a number of n bytes; UINT32_MAX for any other term. */
static inline uint32_t
otp_stamp_part(const uint8_t *p, size_t n)
{
    if (n == 2)
        return p[0] == SB_ETF_SMALL_INT ? p[1] : UINT32_MAX;
    return p[0] == SB_ETF_INT ? sb_get_be32(p + 1) : UINT32_MAX;
}

static inline bool
otp_stamp_of(const uint8_t *p, size_t of_sec, size_t of_micro, int64_t *at_ns)
{
    enum { MEGASEC_MOST = 9000, MOST = 999999 }; /* keep nanoseconds within 63 bits */
    uint32_t mega = sb_get_be32(p + 3), sec = otp_stamp_part(p + 7, of_sec),
             micro = otp_stamp_part(p + 7 + of_sec, of_micro);
    *at_ns = (((int64_t)mega * 1000000 + sec) * 1000000 + micro) * 1000;
    return otp_begins_stamp(p) && mega <= MEGASEC_MOST && sec <= MOST && micro <= MOST;
}

/* Returns the start of the time stamp, or `end` if there is none. STAMP_LONGEST bytes before `end` must be
 * readable. */
static inline const uint8_t *
otp_stamp_before(const uint8_t *end, int64_t *at_ns)
{
    if (otp_stamp_of(end - 17, 5, 5, at_ns))
        return end - 17;
    if (otp_stamp_of(end - 14, 2, 5, at_ns) || otp_stamp_of(end - 14, 5, 2, at_ns))
        return end - 14;
    return otp_stamp_of(end - 11, 2, 2, at_ns) ? end - 11 : end;
}

/* Returns false for a record of another shape. */
static inline bool
otp_usual_ends(struct otp_decoder *d, const uint8_t *payload, size_t size, struct otp_ends *e)
{
    enum { BEHIND_START = OTP_NUMBERS + OTP_TAG_BYTES, SHORTEST = OTP_START_BYTES + BEHIND_START };
    const uint64_t odd = UINT64_C(0xf0000000ff000000); /* numbers that do not fit an sb_actor */
    if (size < SHORTEST)
        return false;
    struct otp_start *start = otp_start_of(d, payload);
    if (start->n == 0 || size < start->n + BEHIND_START || !otp_same_long(payload, start->raw, start->n))
        return false;
    const uint8_t *numbers = payload + start->n, *end = payload + size;
    uint64_t number_serial = sb_get_be64(numbers);
    if (number_serial & odd || sb_get_be32(numbers + 8) != start->creation)
        return false;
    const struct otp_known_tag *known = otp_find_tag(start, numbers + OTP_NUMBERS);
    if (!known)
        return false;
    e->who = sb_actor_make(SB_PID, 0, number_serial & 0xffffff, number_serial >> 32);
    e->tag = known->tag;
    e->left = start->left;
    e->at = numbers + OTP_NUMBERS + known->n;
    e->to = otp_stamp_before(end, &e->at_ns);
    return e->to < end && e->at <= e->to;
}
