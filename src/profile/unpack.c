/* Reading a block: extracts the codes, then adds the expected values. */
#include "profile/pack_impl.h"
#include "base/wide.h"

static uint64_t
load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

size_t
sb_packed_whole(const struct sb_packed *d, size_t n)
{
    return sb_pack_bytes(n, d->bits, d->patches, d->how);
}

bool
sb_packed_ok(const struct sb_packed *d, size_t n)
{
    return (d->how & ~(unsigned)SB_PACK_FLAGS) < SB_PACK_HOWS && sb_pack_width_ok(d->bits) &&
           d->patches <= n && d->bytes <= sb_packed_whole(d, n) &&
           (d->bytes > 0 || sb_packed_whole(d, n) == 0);
}

/* ---- codes ---- */

SB_WIDE static void
unfold(const uint64_t *restrict from, size_t pairs, unsigned bits, uint64_t *restrict to)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (size_t i = 0; i < pairs; i++) {
        to[2 * i] = from[i] & mask;
        to[2 * i + 1] = from[i] >> bits & mask;
    }
}

/* Reads two adjacent numbers as one of twice the width, while that fits, so that fewer are loaded;
 * splitting them is vectorised. `spare` has room for n numbers and a few more. */
static void
get_bits(const uint8_t *in, size_t n, unsigned bits, uint64_t *code, uint64_t *spare)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    if (2 * bits > SB_PACK_LOADED) {
        for (size_t i = 0, at = 0; i < n; i++, at += bits)
            code[i] = load64(in + (at >> 3)) >> (at & 7) & mask;
        return;
    }
    size_t folded = (n + 1) / 2;
    get_bits(in, folded, 2 * bits, spare, spare + folded);
    unfold(spare, n / 2, bits, code);
    if (n % 2)
        code[n - 1] = spare[folded - 1] & mask;
}

/* On entry `code` holds the low bits of every code. */
static void
get_patches(const uint8_t *in, size_t n, const struct sb_packed *d, uint64_t *code)
{
    size_t each = sb_pack_patch_bytes(d->how);
    const uint8_t *place = in + each * d->patches;
    for (unsigned k = 0; k < d->patches; k++) {
        uint16_t at;
        int32_t beyond;
        memcpy(&at, place + sizeof at * k, sizeof at);
        if (at >= n)
            continue;
        if (each == sizeof *code) {
            code[at] = load64(in + each * k);
        } else {
            memcpy(&beyond, in + each * k, sizeof beyond);
            code[at] |= (uint64_t)beyond << (d->bits & 63);
        }
    }
}

static void
get_codes(const uint8_t *in, size_t n, const struct sb_packed *d, uint64_t *code)
{
    uint64_t spare[SB_PACK_FOLDED];
    if (d->bits == 0)
        memset(code, 0, n * sizeof *code);
    else if (d->bits == 64)
        memcpy(code, in, n * sizeof *code);
    else
        get_bits(in, n, d->bits, code, spare);
    get_patches(in + sb_pack_pad((n * d->bits + 7) / 8), n, d, code);
}

/* ---- numbers ---- */

SB_WIDE static void
undo_distance(int64_t *v, size_t n, bool nulls, unsigned shift, uint64_t base)
{
    uint64_t *code = (uint64_t *)v;
    for (size_t i = 0; i < n && !nulls; i++)
        code[i] = (code[i] << shift) + base;
    for (size_t i = 0; i < n && nulls; i++)
        code[i] = code[i] == 0 ? (uint64_t)SB_NULL : ((code[i] - 1) << shift) + base;
}

static void
undo_steps(int64_t *v, size_t n, bool nulls, unsigned shift, uint64_t at, uint64_t base)
{
    uint64_t *code = (uint64_t *)v;
    for (size_t i = 0; i < n && !nulls; i++)
        code[i] = at += (code[i] << shift) + base;
    for (size_t i = 0; i < n && nulls; i++)
        code[i] = code[i] == 0 ? (uint64_t)SB_NULL : (at += ((code[i] - 1) << shift) + base);
}

SB_WIDE static void
undo_near(int64_t *v, size_t n, bool nulls, unsigned shift, const int64_t *near, uint64_t base)
{
    uint64_t *code = (uint64_t *)v;
    for (size_t i = 0; i < n && !nulls; i++)
        code[i] = (code[i] << shift) + sb_pack_expected(near[i]) + base;
    for (size_t i = 0; i < n && nulls; i++)
        code[i] =
            code[i] == 0 ? (uint64_t)SB_NULL : ((code[i] - 1) << shift) + sb_pack_expected(near[i]) + base;
}

uint64_t
sb_packed_near(const uint8_t *in)
{
    return load64(in);
}

void
sb_unpack(const uint8_t *in, const int64_t *near, size_t n, const struct sb_packed *d, int64_t *v)
{
    unsigned how = d->how & ~(unsigned)SB_PACK_FLAGS;
    bool nulls = d->how & SB_PACK_HAS_NULL;
    unsigned shift = (d->how & SB_PACK_SHIFT) >> 2;
    get_codes(in + (how == SB_PACK_DISTANCE ? 0 : 16), n, d, (uint64_t *)v);
    if (how == SB_PACK_STEPS)
        undo_steps(v, n, nulls, shift, load64(in), load64(in + 8));
    else if (how == SB_PACK_NEAR)
        undo_near(v, n, nulls, shift, near, load64(in + 8));
    else
        undo_distance(v, n, nulls, shift, (uint64_t)d->min);
}
