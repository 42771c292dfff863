#include "filter_big.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void
trim(struct big *r)
{
    while (r->n && !r->at[r->n - 1])
        r->n--;
    r->negative &= r->n > 0;
}

static uint32_t
limb(const struct big *a, unsigned i)
{
    return i < a->n ? a->at[i] : 0;
}

void
big_from_int(struct big *r, int64_t v)
{
    uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
    *r = (struct big){.negative = v < 0, .n = 2, .at = {(uint32_t)u, (uint32_t)(u >> 32)}};
    trim(r);
}

bool
big_from_bytes(struct big *r, bool negative, const uint8_t *at, size_t n)
{
    if (n > BIG_BITS / 8)
        return false;
    *r = (struct big){.negative = negative, .n = BIG_LIMBS};
    for (size_t i = 0; i < n; i++)
        r->at[i / 4] |= (uint32_t)at[i] << i % 4 * 8;
    trim(r);
    return true;
}

void
big_from_double(struct big *r, double d)
{
    int exponent;
    double mantissa = frexp(d, &exponent); /* 53 bits: a whole number below 2^1024 */
    struct big whole;
    big_from_int(&whole, (int64_t)ldexp(mantissa, 53));
    big_shift(r, &whole, exponent - 53);
}

bool
big_to_int(const struct big *a, int64_t *v)
{
    uint64_t u = (uint64_t)limb(a, 1) << 32 | limb(a, 0);
    *v = (int64_t)(a->negative ? -u : u);
    return a->n <= 2 && (*v < 0) == a->negative;
}

/* By 64 bits from the top, rounding after each step. */
double
big_to_double(const struct big *a)
{
    double d = 0;
    for (unsigned i = (a->n + 1) / 2; i-- > 0;)
        d = d * 0x1p64 + (double)((uint64_t)limb(a, 2 * i + 1) << 32 | limb(a, 2 * i));
    return a->negative ? -d : d;
}

const char *
big_text(const struct big *a, char out[BIG_TEXT])
{
    struct big left = *a;
    char *at = out + BIG_TEXT - 1;
    *at = 0;
    do {
        uint64_t rest = 0;
        for (unsigned i = left.n; i-- > 0; rest %= 10) {
            rest = rest << 32 | left.at[i];
            left.at[i] = (uint32_t)(rest / 10);
        }
        *--at = (char)('0' + rest);
        trim(&left);
    } while (left.n);
    if (a->negative)
        *--at = '-';
    return at;
}

/* ---- sizes without signs */

static int
compare_sizes(const struct big *a, const struct big *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (unsigned i = a->n; i-- > 0;)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    return 0;
}

static bool
add_sizes(struct big *r, const struct big *a, const struct big *b)
{
    uint64_t carry = 0;
    unsigned n = a->n > b->n ? a->n : b->n;
    for (unsigned i = 0; i < n; i++, carry >>= 32) {
        carry += (uint64_t)limb(a, i) + limb(b, i);
        r->at[i] = (uint32_t)carry;
    }
    r->n = n;
    if (carry && n < BIG_LIMBS)
        r->at[r->n++] = (uint32_t)carry;
    return !carry || n < BIG_LIMBS;
}

static void
subtract_sizes(struct big *r, const struct big *a, const struct big *b) /* a >= b */
{
    int64_t borrow = 0;
    for (unsigned i = 0; i < a->n; i++, borrow >>= 32) {
        borrow += (int64_t)a->at[i] - limb(b, i);
        r->at[i] = (uint32_t)borrow;
    }
    r->n = a->n;
}

/* ---- with signs */

int
big_compare(const struct big *a, const struct big *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    return a->negative ? -compare_sizes(a, b) : compare_sizes(a, b);
}

bool
big_add(struct big *r, const struct big *a, const struct big *b)
{
    bool fits = true, less = compare_sizes(a, b) < 0;
    struct big sum = {.negative = less ? b->negative : a->negative};
    if (a->negative == b->negative)
        fits = add_sizes(&sum, a, b);
    else
        subtract_sizes(&sum, less ? b : a, less ? a : b);
    trim(&sum);
    *r = sum;
    return fits;
}

bool
big_multiply(struct big *r, const struct big *a, const struct big *b)
{
    uint32_t at[2 * BIG_LIMBS] = {0};
    unsigned n = a->n + b->n;
    for (unsigned i = 0; i < a->n; i++) {
        uint64_t carry = 0;
        for (unsigned k = 0; k < b->n; k++, carry >>= 32) {
            carry += (uint64_t)a->at[i] * b->at[k] + at[i + k];
            at[i + k] = (uint32_t)carry;
        }
        at[i + b->n] = (uint32_t)carry;
    }
    while (n && !at[n - 1])
        n--;
    if (n > BIG_LIMBS)
        return false;
    *r = (struct big){.negative = n && a->negative != b->negative, .n = n};
    memcpy(r->at, at, sizeof *at * n);
    return true;
}

/* Bit by bit: numbers of this size are rare. The quotient is rounded towards 0. */
void
big_divide(struct big *quotient, struct big *rest, const struct big *a, const struct big *b)
{
    struct big q = {.negative = a->negative != b->negative, .n = a->n}, left = {0};
    for (unsigned bit = 32 * a->n; bit-- > 0;) {
        /* left has less bits than b, and so has room for another one, or is as long and a fits */
        uint32_t in = a->at[bit / 32] >> bit % 32 & 1, over = 0;
        for (unsigned i = 0; i < left.n; i++) {
            over = left.at[i] >> 31;
            left.at[i] = left.at[i] << 1 | in;
            in = over;
        }
        if (in)
            left.at[left.n++] = in;
        if (compare_sizes(&left, b) >= 0) {
            subtract_sizes(&left, &left, b);
            trim(&left);
            q.at[bit / 32] |= UINT32_C(1) << bit % 32;
        }
    }
    trim(&q);
    left.negative = a->negative && left.n;
    *quotient = q;
    *rest = left;
}

/* ---- as two's complement, a limb longer than the number */

static void
complement(const struct big *a, uint32_t at[BIG_LIMBS + 1])
{
    uint64_t carry = a->negative;
    for (unsigned i = 0; i <= BIG_LIMBS; i++, carry >>= 32) {
        carry += a->negative ? (uint32_t)~limb(a, i) : limb(a, i);
        at[i] = (uint32_t)carry;
    }
}

static bool
from_complement(struct big *r, const uint32_t at[BIG_LIMBS + 1])
{
    uint64_t carry = at[BIG_LIMBS] >> 31;
    *r = (struct big){.negative = carry, .n = BIG_LIMBS};
    for (unsigned i = 0; i < BIG_LIMBS; i++, carry >>= 32) {
        carry += r->negative ? (uint32_t)~at[i] : at[i];
        r->at[i] = (uint32_t)carry;
    }
    trim(r);
    return !carry || !r->negative;
}

bool
big_bits(struct big *r, const struct big *a, const struct big *b, enum big_bits op)
{
    uint32_t x[BIG_LIMBS + 1], y[BIG_LIMBS + 1];
    complement(a, x);
    complement(b, y);
    for (unsigned i = 0; i <= BIG_LIMBS; i++)
        x[i] = op == BIG_AND ? x[i] & y[i] : op == BIG_OR ? x[i] | y[i] : x[i] ^ y[i];
    return from_complement(r, x);
}

static bool
shift_right(struct big *r, const struct big *a, unsigned by)
{
    uint32_t x[BIG_LIMBS + 1], y[BIG_LIMBS + 1], sign = a->negative ? UINT32_MAX : 0;
    complement(a, x);
    for (unsigned i = 0; i <= BIG_LIMBS; i++) {
        unsigned from = i + by / 32;
        uint64_t low = from <= BIG_LIMBS ? x[from] : sign, high = from < BIG_LIMBS ? x[from + 1] : sign;
        y[i] = (uint32_t)((high << 32 | low) >> by % 32);
    }
    return from_complement(r, y);
}

bool
big_shift(struct big *r, const struct big *a, int64_t left)
{
    if (left < 0)
        return shift_right(r, a, left < -BIG_BITS ? BIG_BITS : (unsigned)-left);
    if (a->n && left >= BIG_BITS)
        return false;
    struct big power = {.n = a->n ? (unsigned)left / 32 + 1 : 0};
    if (a->n)
        power.at[left / 32] = UINT32_C(1) << left % 32;
    return big_multiply(r, a, &power);
}
