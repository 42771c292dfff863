/* Integers of a fixed greatest size, which need no memory of their own. An operation returns false if its
 * result is larger. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BIG_LIMBS = 64, BIG_BITS = 32 * BIG_LIMBS, BIG_TEXT = 640 /* digits of 2^2048, and a sign */ };

struct big {
    bool negative;
    unsigned n; /* limbs, the last one is not 0; 0 has none */
    uint32_t at[BIG_LIMBS];
};

enum big_bits { BIG_AND, BIG_OR, BIG_XOR };

void big_from_int(struct big *r, int64_t v);
bool big_from_bytes(struct big *r, bool negative, const uint8_t *at, size_t n); /* the least first */
void big_from_double(struct big *r, double d);                                  /* a whole number */
bool big_to_int(const struct big *a, int64_t *v);
double big_to_double(const struct big *a); /* as the VM rounds; infinite beyond doubles */
const char *big_text(const struct big *a, char out[BIG_TEXT]);
int big_compare(const struct big *a, const struct big *b);
bool big_add(struct big *r, const struct big *a, const struct big *b);
bool big_multiply(struct big *r, const struct big *a, const struct big *b);
void big_divide(struct big *quotient, struct big *rest, const struct big *a,
                const struct big *b); /* b is not 0 */
bool big_bits(struct big *r, const struct big *a, const struct big *b, enum big_bits op);
bool big_shift(struct big *r, const struct big *a, int64_t left);
