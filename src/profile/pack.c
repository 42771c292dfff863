/* Writing a block: a sample of its values decides which way of packing is cheapest; all values are packed
 * that way. */
#include "profile/pack_impl.h"
#include "base/wide.h"
#include "profile/row.h"

enum { GROUP = 8 };

static void
store64(uint8_t *p, uint64_t v)
{
    memcpy(p, &v, 8);
}

static unsigned
width(uint64_t code)
{
    return code == 0 ? 0 : 1 + (63 ^ (unsigned)__builtin_clzll(code));
}

/* ---- codes: the distance of each value from its expected value ---- */

struct shape { /* what one pass over the values finds */
    int64_t min, max;
    uint64_t total;
    uint32_t nulls;
};

/* NULL is the smallest number, and NULL - 1 wraps to the largest, so NULL is neither min nor max unless
 * all are NULL. */
SB_WIDE static struct shape
shape_of_numbers(const int64_t *v, size_t n)
{
    int64_t before_min = INT64_MAX, max = INT64_MIN;
    uint64_t total = 0, nulls = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t before = (int64_t)((uint64_t)v[i] - 1);
        before_min = before < before_min ? before : before_min;
        max = v[i] > max ? v[i] : max;
        nulls += v[i] == SB_NULL;
        total += (uint64_t)v[i];
    }
    return (struct shape){(int64_t)((uint64_t)before_min + 1), max, total - nulls * (uint64_t)SB_NULL,
                          (uint32_t)nulls};
}

/* As a cell, NULL is the largest value, and NULL + 1 wraps to 0. */
SB_WIDE static struct shape
shape_of_cells(const uint32_t *cell, size_t n)
{
    uint32_t min = SB_NO_NUMBER, past_max = 0, nulls = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        min = cell[i] < min ? cell[i] : min;
        past_max = cell[i] + 1 > past_max ? cell[i] + 1 : past_max;
        nulls += cell[i] == SB_NO_NUMBER;
        total += cell[i];
    }
    return (struct shape){min, (int64_t)past_max - 1, total - (uint64_t)nulls * SB_NO_NUMBER, nulls};
}

static inline int64_t
number(struct sb_pack_column v, bool cells, size_t i)
{
    return !cells ? v.v[i] : v.cell[i] == SB_NO_NUMBER ? SB_NULL : v.cell[i];
}

/* The expected value of the first step: one base below the first value. */
static uint64_t
before_first(struct sb_pack_column v, uint64_t base)
{
    size_t i = 0;
    while (number(v, v.cell, i) == SB_NULL)
        i++;
    return (uint64_t)number(v, v.cell, i) - base;
}

struct codes {
    uint64_t at[SB_BLOCK_ROWS]; /* zeros after the last one, up to a multiple of GROUP */
    uint64_t all;               /* the OR of all codes */
    bool lost;                  /* a value just below the base got the code of NULL */
};

struct values { /* to be packed */
    struct sb_pack_column v, near;
    size_t n;
    bool nulls;
};
enum { CELLS = 4, NULLS = 2, NEARBY = 1 }; /* variants of the loop over values */

static inline __attribute__((always_inline)) void
put_codes_of(struct codes *c, uint64_t *to, struct values in, uint64_t base, unsigned variant)
{
    bool nulls = variant & NULLS;
    uint64_t all = 0, lost = 0;
    for (size_t i = 0; i < in.n; i++) {
        int64_t x = number(in.v, variant & CELLS, i);
        uint64_t expected = variant & NEARBY ? sb_pack_expected(number(in.near, variant & CELLS, i)) : 0;
        uint64_t code = (uint64_t)x - expected - base + nulls;
        bool is_null = nulls && x == SB_NULL;
        lost |= nulls && !is_null && code == 0;
        all |= to[i] = is_null ? 0 : code;
    }
    c->all = all;
    c->lost = lost;
}

/* Distances from the smallest value: no value is below it, so none is lost. */
SB_WIDE static void
distances_of_cells(struct codes *c, const uint32_t *cell, size_t n, uint32_t base, bool nulls)
{
    uint32_t all = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t code = cell[i] == SB_NO_NUMBER ? 0 : cell[i] - base + nulls;
        all |= code;
        c->at[i] = code;
    }
    c->all = all;
}

/* One loop for each kind of column, except cells without a near column. */
SB_WIDE static void
codes_of_each(struct codes *c, uint64_t *to, struct values in, uint64_t base)
{
    bool nearby = in.near.v || in.near.cell;
    switch ((in.v.cell ? CELLS : 0u) | (in.nulls ? NULLS : 0u) | (nearby ? NEARBY : 0u)) {
    case 0:
        return put_codes_of(c, to, in, base, 0);
    case NEARBY:
        return put_codes_of(c, to, in, base, NEARBY);
    case NULLS:
        return put_codes_of(c, to, in, base, NULLS);
    case NULLS | NEARBY:
        return put_codes_of(c, to, in, base, NULLS | NEARBY);
    case CELLS | NEARBY:
        return put_codes_of(c, to, in, base, CELLS | NEARBY);
    default:
        return put_codes_of(c, to, in, base, CELLS | NULLS | NEARBY);
    }
}

static void
steps_of_some(struct codes *c, struct sb_pack_column v, size_t n, uint64_t base)
{
    uint64_t before = before_first(v, base);
    for (size_t i = 0; i < n; i++) {
        int64_t x = number(v, v.cell, i);
        c->at[i] = x == SB_NULL ? 0 : (uint64_t)x - before - base + 1;
        c->all |= c->at[i];
        c->lost |= x != SB_NULL && c->at[i] == 0;
        before = x == SB_NULL ? before : (uint64_t)x;
    }
}

/* Leaves out the low bits that are zeros in all distances, 15 at most. A distance of one below zero then gets the
 * code of NULL. */
SB_WIDE static unsigned
shift_codes(struct codes *c, size_t n, bool nulls)
{
    uint64_t all = 0, after = 0, lost = 0;
    for (size_t i = 0; i < n; i++)
        all |= c->at[i] - (nulls && c->at[i] != 0);
    unsigned shift = all & 0x7fff ? (unsigned)__builtin_ctzll(all) : 15;
    for (size_t i = 0; i < n && shift > 0; i++) {
        bool counts = nulls && c->at[i] != 0;
        uint64_t code = (uint64_t)((int64_t)(c->at[i] - counts) >> shift) + counts;
        lost |= counts && code == 0;
        after |= c->at[i] = code;
    }
    c->all = shift > 0 ? after : c->all;
    c->lost |= lost;
    return shift;
}

static struct sb_pack_column
after_first(struct sb_pack_column v)
{
    return v.cell ? (struct sb_pack_column){.cell = v.cell + 1} : (struct sb_pack_column){.v = v.v + 1};
}

/* Without NULLs, a step is the distance to a near column that is the same column, one row earlier. */
static void
codes_of(struct codes *c, struct values in, unsigned how, uint64_t base)
{
    c->at[0] = c->all = 0;
    c->lost = false;
    if (how == SB_PACK_DISTANCE && in.v.cell)
        distances_of_cells(c, in.v.cell, in.n, (uint32_t)base, in.nulls);
    else if (how == SB_PACK_DISTANCE)
        codes_of_each(c, c->at, (struct values){.v = in.v, .n = in.n, .nulls = in.nulls}, base);
    else if (how == SB_PACK_NEAR)
        codes_of_each(c, c->at, in, base);
    else if (in.nulls)
        steps_of_some(c, in.v, in.n, base);
    else
        codes_of_each(c, c->at + 1, (struct values){.v = after_first(in.v), .near = in.v, .n = in.n - 1},
                      base);
    memset(c->at + in.n, 0, (GROUP - in.n % GROUP) % GROUP * sizeof *c->at);
}

/* ---- the cheapest way of packing, estimated from a sample ---- */

enum { SAMPLES = 256, WIDTHS = 66 };

struct plan {
    unsigned how, bits;
    uint64_t base;
    size_t bytes; /* estimated */
};

struct sample {
    int64_t at[SAMPLES + 1];
    size_t n, every; /* one in `every` values is in the sample */
};

/* Chooses the number of bits that makes the block smallest, given how many sampled codes have each width. */
static struct plan
plan_of(const uint32_t *of_width, size_t n, size_t every, unsigned how, uint64_t base)
{
    struct plan best = {how, 64, base, sb_pack_bytes(n, 64, 0, how)};
    size_t wider = 0;
    unsigned widest = 64;
    while (n >= 64 && widest > 0 && of_width[widest] == 0) /* one bit less saves at least eight bytes */
        widest--;
    for (unsigned bits = widest + (widest < 64); bits-- > 0;) {
        wider += of_width[bits + 1];
        if (!sb_pack_width_ok(bits))
            continue;
        size_t bytes = sb_pack_bytes(n, bits, wider * every, how);
        if (bytes < best.bytes)
            best = (struct plan){how, bits, base, bytes};
    }
    return best;
}

static void
take_sample(struct sample *s, struct sb_pack_column v, struct sb_pack_column near, size_t n, unsigned how)
{
    s->n = 0;
    s->every = n / SAMPLES + 1;
    for (size_t i = how == SB_PACK_STEPS; i < n; i += s->every) {
        int64_t x = number(v, v.cell, i);
        uint64_t expected = how == SB_PACK_NEAR    ? sb_pack_expected(number(near, v.cell, i))
                            : how == SB_PACK_STEPS ? sb_pack_expected(number(v, v.cell, i - 1))
                                                   : 0;
        if (x != SB_NULL)
            s->at[s->n++] = (int64_t)((uint64_t)x - expected);
    }
}

static struct plan
plan_from(const struct sample *s, size_t n, unsigned how, uint64_t base)
{
    /* four histograms, so that increments do not wait for each other */
    uint32_t of_width[4][WIDTHS] = {{0}};
    uint64_t less = base - 1; /* as if the block had NULLs */
    size_t i = 0;
    for (; i + 4 <= s->n; i += 4)
        for (size_t k = 0; k < 4; k++)
            of_width[k][width((uint64_t)s->at[i + k] - less)]++;
    for (; i < s->n; i++)
        of_width[0][width((uint64_t)s->at[i] - less)]++;
    for (unsigned w = 0; w < WIDTHS; w++)
        of_width[0][w] += of_width[1][w] + of_width[2][w] + of_width[3][w];
    return plan_of(of_width[0], n, s->every, how, base);
}

/* Time steps back where the process changes. Storing these steps whole is cheaper than a base that suits
 * them. */
static struct plan
plan_apart(struct sb_pack_column v, struct sb_pack_column near, size_t n, unsigned how)
{
    struct sample s;
    take_sample(&s, v, near, n, how);
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
choose(struct sb_pack_column v, struct sb_pack_column near, size_t n, const struct shape *shape)
{
    struct sample s;
    take_sample(&s, v, near, n, SB_PACK_DISTANCE);
    struct plan best = plan_from(&s, n, SB_PACK_DISTANCE, (uint64_t)shape->min), other;
    for (unsigned how = SB_PACK_STEPS; how <= SB_PACK_NEAR; how++) {
        if (how == SB_PACK_NEAR && !near.v && !near.cell)
            break;
        other = plan_apart(v, near, n, how);
        if (other.bytes < best.bytes)
            best = other;
    }
    return best;
}

/* ---- writing ---- */

/* Joins two numbers into one of twice the width: fewer numbers to write, and the joining is vectorised. */
SB_WIDE static void
fold(const uint64_t *restrict code, size_t pairs, unsigned bits, uint64_t *restrict to)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (size_t i = 0; i < pairs; i++)
        to[i] = (code[2 * i] & mask) | (code[2 * i + 1] & mask) << bits;
}

static void
put_bits(const uint64_t *code, size_t n, unsigned bits, uint8_t *out)
{
    uint64_t folded[SB_PACK_FOLDED], *to = folded, held = 0;
    for (; 2 * bits <= SB_PACK_LOADED; bits *= 2) {
        n = (n + 1) / 2;
        fold(code, n, bits, to);
        code = to;
        to += n;
        *to++ = 0; /* the partner of the last one if their number is odd */
    }
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    unsigned fill = 0;
    for (size_t i = 0; i < n; i++) {
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
    for (size_t i = 0; i < n; i += GROUP) {
        uint64_t any = 0;
        for (size_t k = i; k < i + GROUP; k++)
            any |= code[k];
        if (any >> bits == 0)
            continue;
        for (size_t k = i; k < i + GROUP; k++) {
            place[found] = (uint16_t)k;
            found += code[k] >> bits != 0;
        }
    }
    return found;
}

/* The sample may have missed rare values, so all codes are examined. */
static size_t
settle(const struct codes *c, size_t n, struct plan *p, uint16_t *place)
{
    uint32_t of_width[WIDTHS] = {0};
    if (p->bits == 64 || c->all >> p->bits == 0)
        return 0;
    size_t patches = find_patches(c->at, n, p->bits, place);
    if (patches <= n / 16)
        return patches;
    for (size_t i = 0; i < n; i++)
        of_width[width(c->at[i])]++;
    *p = plan_of(of_width, n, 1, p->how, p->base);
    return p->bits == 64 ? 0 : find_patches(c->at, n, p->bits, place);
}

/* Does the part of some code beyond `bits` not fit into a patch of 32 bits? */
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
    size_t each = sb_pack_patch_bytes(p->how);
    memset(out, 0, sb_pack_pad(patches * (each + sizeof *place)) + SB_PACK_SLACK);
    for (size_t k = 0; k < patches; k++) {
        uint64_t v = each == sizeof v ? code[place[k]] : code[place[k]] >> p->bits;
        memcpy(out + each * k, &v, each);
    }
    memcpy(out + each * patches, place, patches * sizeof *place);
}

static void
put_codes(const uint64_t *code, size_t n, const struct plan *p, const uint16_t *place, size_t patches,
          uint8_t *out)
{
    if (p->bits == 64)
        memcpy(out, code, n * sizeof *code);
    else if (p->bits > 0)
        put_bits(code, n, p->bits, out);
    put_patches(code, p, place, patches, out + sb_pack_pad((n * p->bits + 7) / 8));
}

/* All values equal, or all NULL: only the description is stored. */
static void
pack_one(const struct shape *s, uint8_t *out, struct sb_packed *d)
{
    memset(out, 0, SB_PACK_SLACK);
    *d = (struct sb_packed){.min = s->min, .max = s->max, .how = s->nulls ? SB_PACK_HAS_NULL : 0};
}

static void
pack(const struct shape *s, struct sb_pack_column v, struct sb_pack_near near, size_t n, uint8_t *out,
     struct sb_packed *d)
{
    struct codes codes;
    uint16_t place[SB_BLOCK_ROWS + 1];
    struct plan plan = choose(v, near.of, n, s);
    codes_of(&codes, (struct values){v, near.of, n, s->nulls > 0}, plan.how, plan.base);
    unsigned shift =
        plan.bits == 0 || plan.bits == 64 || codes.lost ? 0 : shift_codes(&codes, n, s->nulls > 0);
    plan.bits = plan.bits > shift ? plan.bits - shift : 0;
    if (codes.lost) {
        shift = 0;
        plan = (struct plan){.bits = 64, .base = (uint64_t)s->min};
        codes_of(&codes, (struct values){v, near.of, n, true}, plan.how, plan.base);
        plan.bits = width(codes.all);
        plan.bits = sb_pack_width_ok(plan.bits) ? plan.bits : 64;
    }
    size_t patches = settle(&codes, n, &plan, place);
    if (plan.how != SB_PACK_DISTANCE) {
        store64(out, plan.how == SB_PACK_NEAR ? near.columns : before_first(v, plan.base));
        store64(out + 8, plan.base);
        out += 16;
    }
    if (must_be_whole(codes.at, plan.bits, place, patches))
        plan.how |= SB_PACK_WHOLE;
    plan.how |= shift << 2;
    put_codes(codes.at, n, &plan, place, patches, out);
    *d = (struct sb_packed){s->min,
                            s->max,
                            (uint32_t)sb_pack_bytes(n, plan.bits, patches, plan.how),
                            (uint16_t)patches,
                            (uint8_t)(plan.how | (s->nulls ? SB_PACK_HAS_NULL : 0)),
                            (uint8_t)plan.bits};
}

struct sb_pack_sums
sb_pack(struct sb_pack_column v, struct sb_pack_near near, size_t n, uint8_t *out, struct sb_packed *d)
{
    struct shape s = v.cell ? shape_of_cells(v.cell, n) : shape_of_numbers(v.v, n);
    if (s.nulls == n)
        s.min = 1, s.max = 0;
    if (s.nulls == n || (s.nulls == 0 && s.min == s.max))
        pack_one(&s, out, d);
    else
        pack(&s, v, near, n, out, d);
    return (struct sb_pack_sums){(int64_t)s.total, s.nulls};
}
