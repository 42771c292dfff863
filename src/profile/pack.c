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

static size_t
bytes_of(size_t n, unsigned bits, size_t patches, unsigned how)
{
    return (how == SB_PACK_STEPS ? 16 : 0) + pad8((n * bits + 7) / 8) + patches * 8 + pad8(patches * 2);
}

/* ---- what would be cheapest ---- */

struct plan {
    unsigned bits;
    size_t patches, bytes;
};

/* From how many codes have each width: the number of bits that makes the block smallest. */
static struct plan
plan_of(const uint32_t *of_width, size_t n, unsigned how)
{
    struct plan best = {64, 0, bytes_of(n, 64, 0, how)};
    size_t wider = 0;
    for (unsigned bits = 64; bits-- > 0;) {
        wider += of_width[bits + 1];
        if (!width_ok(bits))
            continue;
        size_t bytes = bytes_of(n, bits, wider, how);
        if (bytes < best.bytes)
            best = (struct plan){bits, wider, bytes};
    }
    return best;
}

struct shape { /* what one pass over the values tells */
    int64_t min, max, first, min_step, max_step;
    uint32_t nulls;
    bool steps_fit;
};

static struct shape
shape_of_some(const int64_t *v, size_t n)
{
    struct shape s = {INT64_MAX, INT64_MIN, 0, INT64_MAX, INT64_MIN, 0, true};
    int64_t before = 0;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (v[i] == SB_NULL) {
            s.nulls++;
            continue;
        }
        int64_t step = 0;
        if (!any)
            s.first = v[i], any = true;
        else if (__builtin_sub_overflow(v[i], before, &step))
            s.steps_fit = false;
        s.min = v[i] < s.min ? v[i] : s.min;
        s.max = v[i] > s.max ? v[i] : s.max;
        s.min_step = step < s.min_step ? step : s.min_step;
        s.max_step = step > s.max_step ? step : s.max_step;
        before = v[i];
    }
    return s;
}

/* NULL is the smallest number there is: where the smallest is another, there is none, and nothing to ask. */
static struct shape
shape_of(const int64_t *v, size_t n)
{
    struct shape s = {v[0], v[0], v[0], 0, 0, 0, true};
    for (size_t i = 1; i < n; i++) {
        s.min = v[i] < s.min ? v[i] : s.min;
        s.max = v[i] > s.max ? v[i] : s.max;
    }
    if (s.min == SB_NULL)
        return shape_of_some(v, n);
    s.steps_fit = s.max - (__int128)s.min <= INT64_MAX;
    for (size_t i = 1; i < n; i++) {
        int64_t step = (int64_t)((uint64_t)v[i] - (uint64_t)v[i - 1]);
        s.min_step = step < s.min_step ? step : s.min_step;
        s.max_step = step > s.max_step ? step : s.max_step;
    }
    return s;
}

static void
codes_of_distance(const int64_t *v, size_t n, const struct shape *s, uint64_t *code)
{
    if (s->nulls == 0)
        for (size_t i = 0; i < n; i++)
            code[i] = (uint64_t)v[i] - (uint64_t)s->min;
    else
        for (size_t i = 0; i < n; i++)
            code[i] = v[i] == SB_NULL ? 0 : (uint64_t)v[i] - (uint64_t)s->min + 1;
}

static void
codes_of_steps(const int64_t *v, size_t n, const struct shape *s, uint64_t *code)
{
    uint64_t before = (uint64_t)s->first;
    code[0] = (uint64_t)0 - (uint64_t)s->min_step;
    for (size_t i = 1; i < n && s->nulls == 0; i++)
        code[i] = (uint64_t)v[i] - (uint64_t)v[i - 1] - (uint64_t)s->min_step;
    for (size_t i = 0; i < n && s->nulls > 0; i++) {
        code[i] = v[i] == SB_NULL ? 0 : (uint64_t)v[i] - before - (uint64_t)s->min_step + 1;
        before = v[i] == SB_NULL ? before : (uint64_t)v[i];
    }
}

/* How many codes have each width, looking at one of `every`. Four counts side by side: one would wait for
 * itself, since neighbours are mostly of one width. */
static size_t
count_widths(const uint64_t *code, size_t n, size_t every, uint32_t of_width[66])
{
    uint32_t count[4][66] = {{0}};
    size_t k = 0;
    for (size_t i = 0; i < n; i += every, k++)
        count[k & 3][width(code[i])]++;
    for (unsigned w = 0; w < 66; w++)
        of_width[w] = count[0][w] + count[1][w] + count[2][w] + count[3][w];
    return k;
}

/* Bytes that the codes would take, from a part of them, to tell which way is the shorter one. */
static size_t
guess(const uint64_t *code, size_t n)
{
    uint32_t of_width[66];
    size_t every = n < 512 ? 1 : 7, seen = count_widths(code, n, every, of_width);
    return plan_of(of_width, seen, SB_PACK_DISTANCE).bytes * every;
}

/* ---- writing ---- */

static void
put_patches(const uint64_t *code, size_t n, uint64_t mask, uint8_t *whole, uint8_t *place)
{
    size_t patch = 0;
    for (size_t i = 0; i < n; i++)
        if (code[i] > mask) {
            uint16_t at = (uint16_t)i;
            store64(whole + 8 * patch, code[i]);
            memcpy(place + 2 * patch++, &at, 2);
        }
}

static void
put_codes(const uint64_t *code, size_t n, const struct plan *p, uint8_t *out)
{
    size_t body = pad8((n * p->bits + 7) / 8);
    unsigned bits = p->bits, fill = 0;
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, held = 0;
    memset(out + body, 0, p->patches * 8 + pad8(p->patches * 2) + SB_PACK_SLACK);
    if (p->patches > 0)
        put_patches(code, n, mask, out + body, out + body + p->patches * 8);
    if (bits == 64)
        memcpy(out, code, n * sizeof *code);
    for (size_t i = 0; i < n && bits > 0 && bits < 64; i++) {
        uint64_t c = code[i] > mask ? 0 : code[i];
        held |= c << fill;
        fill += bits;
        if (fill >= 64) {
            store64(out, held);
            out += 8;
            fill -= 64;
            held = c >> (bits - fill);
        }
    }
    if (fill > 0)
        store64(out, held);
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
sb_pack(const int64_t *v, size_t n, uint8_t *out, struct sb_packed *d)
{
    struct shape s = shape_of(v, n);
    if (s.nulls == n)
        s.min = 1, s.max = 0;
    if (s.nulls == n || (s.nulls == 0 && s.min == s.max))
        return pack_one(&s, out, d);
    uint64_t distance[SB_BLOCK_ROWS], steps[SB_BLOCK_ROWS];
    uint32_t of_width[66];
    const uint64_t *code = distance;
    unsigned how = SB_PACK_DISTANCE;
    codes_of_distance(v, n, &s, distance);
    if (s.steps_fit && s.min < s.max && s.max_step - (__int128)s.min_step < INT64_MAX) {
        codes_of_steps(v, n, &s, steps);
        if (guess(steps, n) + 16 < guess(distance, n))
            code = steps, how = SB_PACK_STEPS;
    }
    count_widths(code, n, 1, of_width);
    struct plan plan = plan_of(of_width, n, how);
    uint8_t *body = out;
    if (how == SB_PACK_STEPS) {
        store64(out, (uint64_t)s.first);
        store64(out + 8, (uint64_t)s.min_step);
        body += 16;
    }
    put_codes(code, n, &plan, body);
    *d = (struct sb_packed){s.min,
                            s.max,
                            (uint32_t)plan.bytes,
                            (uint16_t)plan.patches,
                            (uint8_t)(how | (s.nulls ? SB_PACK_HAS_NULL : 0)),
                            (uint8_t)plan.bits};
    return s.nulls;
}

/* ---- reading ---- */

bool
sb_packed_ok(const struct sb_packed *d, size_t n)
{
    unsigned how = d->how & ~(unsigned)SB_PACK_HAS_NULL;
    return how < SB_PACK_HOWS && width_ok(d->bits) && d->patches <= n &&
           d->bytes == bytes_of(n, d->bits, d->patches, how);
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
    const uint8_t *whole = in + pad8((n * bits + 7) / 8), *place = whole + d->patches * 8u;
    for (unsigned k = 0; k < d->patches; k++) {
        uint16_t at;
        memcpy(&at, place + 2 * k, 2);
        if (at < n)
            code[at] = load64(whole + 8 * k);
    }
}

static void
undo_distance(int64_t *v, size_t n, const struct sb_packed *d)
{
    uint64_t *code = (uint64_t *)v, base = (uint64_t)d->min;
    if (!(d->how & SB_PACK_HAS_NULL)) {
        for (size_t i = 0; i < n; i++)
            code[i] += base;
        return;
    }
    for (size_t i = 0; i < n; i++)
        code[i] = code[i] == 0 ? (uint64_t)SB_NULL : code[i] - 1 + base;
}

static void
undo_steps(int64_t *v, size_t n, const struct sb_packed *d, uint64_t at, uint64_t min_step)
{
    uint64_t *code = (uint64_t *)v;
    if (!(d->how & SB_PACK_HAS_NULL)) {
        for (size_t i = 0; i < n; i++)
            code[i] = at += code[i] + min_step;
        return;
    }
    for (size_t i = 0; i < n; i++)
        code[i] = code[i] == 0 ? (uint64_t)SB_NULL : (at += code[i] - 1 + min_step);
}

void
sb_unpack(const uint8_t *in, size_t n, const struct sb_packed *d, int64_t *v)
{
    bool steps = (d->how & ~(unsigned)SB_PACK_HAS_NULL) == SB_PACK_STEPS;
    get_codes(in + (steps ? 16 : 0), n, d, (uint64_t *)v);
    if (steps)
        undo_steps(v, n, d, load64(in), load64(in + 8));
    else
        undo_distance(v, n, d);
}
