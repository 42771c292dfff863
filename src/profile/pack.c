#include "profile/pack.h"
#include "base/table.h"

/* ---- bits ---- */

static uint64_t
load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

static void
store64(uint8_t *p, uint64_t v)
{
    memcpy(p, &v, 8);
}

static unsigned
width(uint64_t code)
{
    return code == 0 ? 0 : 64 - (unsigned)__builtin_clzll(code);
}

static size_t
pad8(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

/* A width of 57 to 63 bits could straddle nine bytes; 64 is used for all of them. */
static bool
width_ok(unsigned bits)
{
    return bits <= 56 || bits == 64;
}

/* A patch is what its code has beyond `bits`, with its sign, or all of it. */
static size_t
patch_bytes(unsigned how)
{
    return how & SB_PACK_WHOLE ? sizeof(uint64_t) : sizeof(int32_t);
}

static size_t
bytes_of(size_t n, unsigned bits, size_t patches, unsigned how)
{
    return ((how & ~(unsigned)SB_PACK_FLAGS) == SB_PACK_DISTANCE ? 0 : 16) + pad8((n * bits + 7) / 8) +
           pad8(patches * (patch_bytes(how) + sizeof(uint16_t)));
}

/* ---- what is written for a value: its distance from what it is expected to be ---- */

struct shape { /* what one pass over the values tells */
    int64_t min, max;
    uint32_t nulls;
};

static struct shape
shape_of_some(const int64_t *v, size_t n)
{
    struct shape s = {INT64_MAX, INT64_MIN, 0};
    for (size_t i = 0; i < n; i++) {
        if (v[i] == SB_NULL) {
            s.nulls++;
            continue;
        }
        s.min = v[i] < s.min ? v[i] : s.min;
        s.max = v[i] > s.max ? v[i] : s.max;
    }
    return s;
}

/* NULL is the smallest number there is: where the smallest is another, there is none, and nothing to ask. */
static struct shape
shape_of(const int64_t *v, size_t n)
{
    struct shape s = {v[0], v[0], 0}, odd = s;
    for (size_t i = 1; i < n; i += 2) {
        s.min = v[i] < s.min ? v[i] : s.min;
        s.max = v[i] > s.max ? v[i] : s.max;
        odd.min = v[i - 1] < odd.min ? v[i - 1] : odd.min;
        odd.max = v[i - 1] > odd.max ? v[i - 1] : odd.max;
    }
    s.min = s.min < odd.min ? s.min : odd.min;
    s.max = s.max > odd.max ? s.max : odd.max;
    s.min = v[n - 1] < s.min ? v[n - 1] : s.min;
    s.max = v[n - 1] > s.max ? v[n - 1] : s.max;
    return s.min == SB_NULL ? shape_of_some(v, n) : s;
}

static uint64_t
or_zero(int64_t v)
{
    return v == SB_NULL ? 0 : (uint64_t)v;
}

/* Steps begin one step before the first value. */
static uint64_t
before_first(const int64_t *v, uint64_t base)
{
    while (*v == SB_NULL)
        v++;
    return (uint64_t)*v - base;
}

/* Where some are NULL. False when a value would be taken for NULL: it lies just below the base. */
static bool
codes_with_nulls(const int64_t *v, const int64_t *near, size_t n, unsigned how, uint64_t base, uint64_t *code)
{
    uint64_t expected = how == SB_PACK_STEPS ? before_first(v, base) : 0;
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        expected = how == SB_PACK_NEAR ? or_zero(near[i]) : expected;
        code[i] = v[i] == SB_NULL ? 0 : (uint64_t)v[i] - expected - base + 1;
        ok &= v[i] == SB_NULL || code[i] != 0;
        expected = how == SB_PACK_STEPS && v[i] != SB_NULL ? (uint64_t)v[i] : expected;
    }
    return ok;
}

static bool
codes_of(const int64_t *v, const int64_t *near, size_t n, bool nulls, unsigned how, uint64_t base, uint64_t *code)
{
    if (nulls)
        return codes_with_nulls(v, near, n, how, base, code);
    code[0] = 0;
    if (how == SB_PACK_STEPS)
        for (size_t i = 1; i < n; i++)
            code[i] = (uint64_t)v[i] - (uint64_t)v[i - 1] - base;
    else if (how == SB_PACK_NEAR)
        for (size_t i = 0; i < n; i++)
            code[i] = (uint64_t)v[i] - or_zero(near[i]) - base;
    else
        for (size_t i = 0; i < n; i++)
            code[i] = (uint64_t)v[i] - base;
    return true;
}

/* ---- what would be cheapest: told from some of the values ---- */

enum { SAMPLES = 256, WIDTHS = 66 };

struct plan {
    unsigned how, bits;
    uint64_t base;
    size_t bytes; /* about */
};

struct sample {
    int64_t at[SAMPLES + 1];
    size_t n, every; /* one of so many */
};

/* From how many codes have each width, one of `every`: the number of bits that makes the block smallest. */
static struct plan
plan_of(const uint32_t *of_width, size_t n, size_t every, unsigned how, uint64_t base)
{
    struct plan best = {how, 64, base, bytes_of(n, 64, 0, how)};
    size_t wider = 0;
    for (unsigned bits = 64; bits-- > 0;) {
        wider += of_width[bits + 1];
        if (!width_ok(bits))
            continue;
        size_t bytes = bytes_of(n, bits, wider * every, how);
        if (bytes < best.bytes)
            best = (struct plan){how, bits, base, bytes};
    }
    return best;
}

static struct sample
sample_of(const int64_t *v, const int64_t *near, size_t n, unsigned how)
{
    struct sample s = {.every = n / SAMPLES + 1};
    for (size_t i = how == SB_PACK_STEPS; i < n; i += s.every) {
        uint64_t expected = how == SB_PACK_NEAR ? or_zero(near[i]) : how == SB_PACK_STEPS ? or_zero(v[i - 1]) : 0;
        if (v[i] != SB_NULL)
            s.at[s.n++] = (int64_t)((uint64_t)v[i] - expected);
    }
    return s;
}

static struct plan
plan_from(const struct sample *s, size_t n, unsigned how, uint64_t base)
{
    uint32_t of_width[WIDTHS] = {0};
    for (size_t i = 0; i < s->n; i++)
        of_width[width((uint64_t)s->at[i] - base + 1)]++; /* one more, as if there were NULLs */
    return plan_of(of_width, n, s->every, how, base);
}

/* Where a process changes, time steps back: such a step is better kept whole than allowed for in all others. */
static struct plan
plan_apart(const int64_t *v, const int64_t *near, size_t n, unsigned how)
{
    struct sample s = sample_of(v, near, n, how);
    int64_t least = s.n > 0 ? s.at[0] : 0;
    for (size_t i = 1; i < s.n; i++)
        least = s.at[i] < least ? s.at[i] : least;
    struct plan from_least = plan_from(&s, n, how, (uint64_t)least);
    if (least >= 0)
        return from_least;
    struct plan from_zero = plan_from(&s, n, how, 0);
    return from_zero.bytes < from_least.bytes ? from_zero : from_least;
}

static struct plan
choose(const int64_t *v, const int64_t *near, size_t n, const struct shape *shape)
{
    struct sample s = sample_of(v, NULL, n, SB_PACK_DISTANCE);
    struct plan best = plan_from(&s, n, SB_PACK_DISTANCE, (uint64_t)shape->min), other;
    for (unsigned how = SB_PACK_STEPS; how <= SB_PACK_NEAR; how++) {
        if (how == SB_PACK_NEAR && !near)
            break;
        other = plan_apart(v, near, n, how);
        if (other.bytes < best.bytes)
            best = other;
    }
    return best;
}

/* ---- writing ---- */

static void
put_bits(const uint64_t *code, size_t n, unsigned bits, uint8_t *out)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1, held = 0;
    unsigned fill = 0;
    size_t i = 0;
    for (; bits <= 28 && i + 1 < n; i += 2) {
        held |= ((code[i] & mask) | (code[i + 1] & mask) << bits) << fill;
        store64(out, held);
        fill += 2 * bits;
        out += fill >> 3;
        held >>= fill & 56;
        fill &= 7;
    }
    for (; i < n; i++) {
        held |= (code[i] & mask) << fill;
        store64(out, held);
        fill += bits;
        out += fill >> 3;
        held >>= fill & 56;
        fill &= 7;
    }
    store64(out, held);
}

static size_t
find_patches(const uint64_t *code, size_t n, unsigned bits, uint16_t *place)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        place[found] = (uint16_t)i;
        found += code[i] >> bits != 0;
    }
    return found;
}

static uint64_t
all_bits(const uint64_t *code, size_t n)
{
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= code[i];
    return all;
}

/* The sample may have missed what is rare: then all are looked at. */
static size_t
settle(const uint64_t *code, size_t n, struct plan *p, uint16_t *place)
{
    uint32_t of_width[WIDTHS] = {0};
    if (p->bits == 64 || all_bits(code, n) >> p->bits == 0)
        return 0;
    size_t patches = find_patches(code, n, p->bits, place);
    if (patches <= n / 16)
        return patches;
    for (size_t i = 0; i < n; i++)
        of_width[width(code[i])]++;
    *p = plan_of(of_width, n, 1, p->how, p->base);
    return p->bits == 64 ? 0 : find_patches(code, n, p->bits, place);
}

/* Is some code too far from the others for what is beyond `bits` to fit? */
static bool
must_be_whole(const uint64_t *code, unsigned bits, const uint16_t *place, size_t patches)
{
    bool any = false;
    for (size_t k = 0; k < patches; k++) {
        int64_t beyond = (int64_t)code[place[k]] >> bits;
        any |= beyond != (int32_t)beyond;
    }
    return any;
}

static void
put_patches(const uint64_t *code, const struct plan *p, const uint16_t *place, size_t patches, uint8_t *out)
{
    size_t each = patch_bytes(p->how);
    memset(out, 0, pad8(patches * (each + sizeof *place)) + SB_PACK_SLACK);
    for (size_t k = 0; k < patches; k++) {
        uint64_t v = each == sizeof v ? code[place[k]] : code[place[k]] >> p->bits;
        memcpy(out + each * k, &v, each);
    }
    memcpy(out + each * patches, place, patches * sizeof *place);
}

static void
put_codes(const uint64_t *code, size_t n, const struct plan *p, const uint16_t *place, size_t patches, uint8_t *out)
{
    if (p->bits == 64)
        memcpy(out, code, n * sizeof *code);
    else if (p->bits > 0)
        put_bits(code, n, p->bits, out);
    put_patches(code, p, place, patches, out + pad8((n * p->bits + 7) / 8));
}

/* All the same, or all NULL: nothing but its description is kept. */
static uint32_t
pack_one(const struct shape *s, uint8_t *out, struct sb_packed *d)
{
    memset(out, 0, SB_PACK_SLACK);
    *d = (struct sb_packed){.min = s->min, .max = s->max, .how = s->nulls ? SB_PACK_HAS_NULL : 0};
    return s->nulls;
}

uint32_t
sb_pack(const int64_t *v, struct sb_pack_near near, size_t n, uint8_t *out, struct sb_packed *d)
{
    struct shape s = shape_of(v, n);
    if (s.nulls == n)
        s.min = 1, s.max = 0;
    if (s.nulls == n || (s.nulls == 0 && s.min == s.max))
        return pack_one(&s, out, d);
    uint64_t code[SB_BLOCK_ROWS];
    uint16_t place[SB_BLOCK_ROWS + 1];
    struct plan plan = choose(v, near.v, n, &s);
    if (!codes_of(v, near.v, n, s.nulls > 0, plan.how, plan.base, code)) {
        plan = (struct plan){.bits = 64, .base = (uint64_t)s.min};
        codes_of(v, NULL, n, true, plan.how, plan.base, code);
        plan.bits = width(all_bits(code, n));
        plan.bits = width_ok(plan.bits) ? plan.bits : 64;
    }
    size_t patches = settle(code, n, &plan, place);
    uint8_t *body = out;
    if (plan.how != SB_PACK_DISTANCE) {
        store64(out, plan.how == SB_PACK_NEAR ? near.column : before_first(v, plan.base));
        store64(out + 8, plan.base);
        body += 16;
    }
    if (must_be_whole(code, plan.bits, place, patches))
        plan.how |= SB_PACK_WHOLE;
    put_codes(code, n, &plan, place, patches, body);
    *d = (struct sb_packed){s.min,
                            s.max,
                            (uint32_t)bytes_of(n, plan.bits, patches, plan.how),
                            (uint16_t)patches,
                            (uint8_t)(plan.how | (s.nulls ? SB_PACK_HAS_NULL : 0)),
                            (uint8_t)plan.bits};
    return s.nulls;
}

/* ---- reading ---- */

bool
sb_packed_ok(const struct sb_packed *d, size_t n)
{
    return (d->how & ~(unsigned)SB_PACK_FLAGS) < SB_PACK_HOWS && width_ok(d->bits) && d->patches <= n &&
           d->bytes == bytes_of(n, d->bits, d->patches, d->how);
}

/* What stands in `code` holds the bits that all have. */
static void
get_patches(const uint8_t *in, size_t n, const struct sb_packed *d, uint64_t *code)
{
    size_t each = patch_bytes(d->how);
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
    unsigned bits = d->bits;
    if (bits == 0) {
        memset(code, 0, n * sizeof *code);
    } else if (bits == 64) {
        memcpy(code, in, n * sizeof *code);
    } else {
        uint64_t mask = (UINT64_C(1) << bits) - 1;
        for (size_t i = 0, at = 0; i < n; i++, at += bits)
            code[i] = load64(in + (at >> 3)) >> (at & 7) & mask;
    }
    get_patches(in + pad8((n * bits + 7) / 8), n, d, code);
}

static void
undo_distance(int64_t *v, size_t n, bool nulls, uint64_t base)
{
    uint64_t *code = (uint64_t *)v;
    for (size_t i = 0; i < n && !nulls; i++)
        code[i] += base;
    for (size_t i = 0; i < n && nulls; i++)
        code[i] = code[i] == 0 ? (uint64_t)SB_NULL : code[i] - 1 + base;
}

static void
undo_steps(int64_t *v, size_t n, bool nulls, uint64_t at, uint64_t base)
{
    uint64_t *code = (uint64_t *)v;
    for (size_t i = 0; i < n && !nulls; i++)
        code[i] = at += code[i] + base;
    for (size_t i = 0; i < n && nulls; i++)
        code[i] = code[i] == 0 ? (uint64_t)SB_NULL : (at += code[i] - 1 + base);
}

static void
undo_near(int64_t *v, size_t n, bool nulls, const int64_t *near, uint64_t base)
{
    uint64_t *code = (uint64_t *)v;
    for (size_t i = 0; i < n && !nulls; i++)
        code[i] += or_zero(near[i]) + base;
    for (size_t i = 0; i < n && nulls; i++)
        code[i] = code[i] == 0 ? (uint64_t)SB_NULL : code[i] - 1 + or_zero(near[i]) + base;
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
    get_codes(in + (how == SB_PACK_DISTANCE ? 0 : 16), n, d, (uint64_t *)v);
    if (how == SB_PACK_STEPS)
        undo_steps(v, n, nulls, load64(in), load64(in + 8));
    else if (how == SB_PACK_NEAR)
        undo_near(v, n, nulls, near, load64(in + 8));
    else
        undo_distance(v, n, nulls, (uint64_t)d->min);
}
