/* Names: atoms and functions, cached. Short atoms are inline, since every record has several. */
#pragma once
#include "trace/otp/otp_read.h"

bool otp_long_atom(struct otp_decoder *d, uint32_t *id);                          /* of any length */
bool otp_short_atom(struct otp_decoder *d, const uint64_t word[2], uint32_t *id); /* not in the cache */
bool otp_names_pair(struct otp_decoder *d, const uint8_t **raw, uint32_t *n);     /* two atoms in a row */
bool otp_mfa(struct otp_decoder *d, uint32_t *id);                                /* {M, F, Arity | Args} */
uint32_t otp_mfa_of(struct otp_decoder *d, const uint8_t *raw, uint32_t n, uint32_t arity);

/* Returns the cache entry of an atom with these words. */
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
