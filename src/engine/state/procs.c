/*
 *     packed:  a bit for each pair of words  |  codes of the pairs with a bit, 4 bits a word  |  bytes of the words
 *
 * Most words are 0, small, never set, or stamps near the one before.
 */
#include "engine/state/procs.h"
#include "base/bytes.h"
#include "profile/schema.h"

enum {
    WORDS = sizeof(struct sb_proc) / 8,
    CODES = (WORDS + 1) / 2,
    MARKS = (CODES + 7) / 8, /* bytes of the bits */
    MOST = 8,                /* codes up to here: number of bytes */
    NEVER,                   /* SB_NULL, SB_AT_UNKNOWN */
    NEAR,                    /* NEAR_BYTES bytes: the difference to the last word that took more bytes */
    NEAR_BYTES = 5,
    SLACK = 8,   /* bytes that may be read or written beyond the last word */
    AWAKE = 256, /* processes of a part that stay unpacked between their events */
};
static const uint8_t bytes_of[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, NEAR_BYTES};
static const uint64_t mask_of[16] = {0,
                                     0xff,
                                     0xffff,
                                     0xffffff,
                                     UINT32_MAX,
                                     UINT64_C(0xffffffffff),
                                     UINT64_C(0xffffffffffff),
                                     UINT64_C(0xffffffffffffff),
                                     UINT64_MAX,
                                     0,
                                     UINT64_C(0xffffffffff)};
#define FAR (UINT64_C(1) << (8 * NEAR_BYTES - 1))
_Static_assert(sizeof(struct sb_proc) % 8 == 0 && MARKS <= 8,
               "it is packed by words, with marks in one word");

/* ---- packing ---- */

static bool
is_whole(unsigned code)
{
    return code > NEAR_BYTES && code <= MOST;
}

static unsigned
code_of(uint64_t v, uint64_t whole)
{
    unsigned bytes = v ? (71 - (unsigned)__builtin_clzll(v)) / 8 : 0;
    if (v == (uint64_t)SB_NULL)
        return NEVER;
    return bytes > NEAR_BYTES && v - whole + FAR < 2 * FAR ? NEAR : bytes;
}

static size_t
pack(uint8_t *to, const struct sb_proc *p)
{
    uint8_t code[CODES] = {0}, bytes[sizeof *p + SLACK], *at = bytes, *codes = to + MARKS;
    uint64_t whole = 0;
    memset(to, 0, MARKS);
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t v = sb_get_le64((const uint8_t *)p + 8 * i);
        unsigned c = code_of(v, whole);
        uint64_t put = c == NEAR ? v - whole + FAR : v;
        code[i / 2] |= (uint8_t)(c << i % 2 * 4);
        memcpy(at, &put, sizeof put);
        at += bytes_of[c];
        whole = is_whole(c) ? v : whole;
    }
    for (size_t i = 0; i < CODES; i++)
        if (code[i]) {
            to[i / 8] |= (uint8_t)(1 << i % 8);
            *codes++ = code[i];
        }
    memcpy(codes, bytes, (size_t)(at - bytes));
    return (size_t)(codes - to) + (size_t)(at - bytes);
}

struct unpacking {
    const uint8_t *at;
    uint64_t base[16]; /* by code: what is added */
};

static inline uint64_t
unpack_word(struct unpacking *u, unsigned code)
{
    uint64_t v = (sb_get_le64(u->at) & mask_of[code]) + u->base[code];
    if (is_whole(code))
        u->base[NEAR] = v - FAR;
    u->at += bytes_of[code];
    return v;
}

static size_t
unpack(const uint8_t *from, struct sb_proc *p)
{
    uint64_t word[2 * CODES] = {0}; /* two a bit: without it both are 0, as most are */
    uint64_t marks = sb_get_le64(from) & UINT64_MAX >> (64 - 8 * MARKS);
    const uint8_t *code = from + MARKS;
    struct unpacking u = {.at = code + __builtin_popcountll(marks),
                          .base = {[NEVER] = (uint64_t)SB_NULL, [NEAR] = -FAR}};
    for (; marks; marks &= marks - 1, code++) {
        size_t i = 2 * (size_t)__builtin_ctzll(marks);
        word[i] = unpack_word(&u, *code & 15);
        word[i + 1] = unpack_word(&u, *code >> 4);
    }
    memcpy(p, word, sizeof *p);
    return (size_t)(u.at - from);
}

/* ---- unpacked processes ---- */

static struct sb_proc *
take_seat(struct sb_procs *v)
{
    return v->free.n > 0 ? v->free.at[--v->free.n] : sb_arena_alloc(&v->arena, sizeof(struct sb_proc), 64);
}

static uint8_t *
packed_at(uintptr_t at)
{
    return (uint8_t *)(at & ~(uintptr_t)3);
}

static void **
free_packed(struct sb_procs *v, size_t n)
{
    enum {
        LEAST = 3 * SB_PACKED_STEP - SLACK
    }; /* most need it at their end, so they take it from the start */
    return &v->free_packed[((n > LEAST ? n : LEAST) + SLACK - 1) / SB_PACKED_STEP];
}

static uint8_t *
take_packed(struct sb_procs *v, size_t n)
{
    void **list = free_packed(v, n), *taken = *list;
    if (!taken)
        return sb_arena_alloc(&v->arena, (size_t)(list - v->free_packed + 1) * SB_PACKED_STEP, 8);
    memcpy(list, taken, sizeof *list);
    return taken;
}

static void
give_packed(struct sb_procs *v, uint8_t *packed, size_t n)
{
    void **list = free_packed(v, n);
    memcpy(packed, list, sizeof *list);
    *list = packed;
}

uint32_t
sb_procs_add(struct sb_procs *v, sb_actor actor, int64_t at, int64_t since)
{
    struct sb_seed *seed =
        v->free_seeds.n > 0 ? v->free_seeds.at[--v->free_seeds.n] : SB_NEW(&v->arena, struct sb_seed);
    *seed = (struct sb_seed){.actor = actor, .first_seen = at, .last_seen = SB_NULL, .since = since};
    *SB_PUSH(v) = (uintptr_t)seed + 2;
    return (uint32_t)v->n - 1;
}

static struct sb_proc
grown(const struct sb_seed *s, size_t i)
{
    return (struct sb_proc){.actor = s->actor,
                            .id = s->id,
                            .index = (uint32_t)i,
                            .who = s->who,
                            .first_seen = s->first_seen,
                            .last_seen = s->last_seen,
                            .life = {.start = SB_NULL, .end = SB_NULL},
                            .place_since = SB_AT_UNKNOWN,
                            .stay = {.since = s->since, .lane = SB_LANE_NONE, .ready_since = SB_AT_UNKNOWN},
                            .gc = {.since = SB_AT_UNKNOWN}};
}

struct sb_proc *
sb_procs_wake(struct sb_procs *v, size_t i)
{
    struct sb_proc *p = take_seat(v);
    struct sb_seed *seed = sb_procs_seed(v, i);
    v->awake++;
    if (seed) {
        *p = grown(seed, i);
        *SB_PUSH(&v->free_seeds) = seed;
    } else {
        uint8_t *packed = packed_at(v->at[i]);
        give_packed(v, packed, unpack(packed, p));
        sb_procs_tire(v, p);
    }
    v->at[i] = (uintptr_t)p;
    return p;
}

const struct sb_proc *
sb_procs_see(const struct sb_procs *v, size_t i, struct sb_proc *room)
{
    if (!sb_procs_sleeps(v, i))
        return (const struct sb_proc *)v->at[i];
    if (sb_procs_seed(v, i))
        *room = grown(sb_procs_seed(v, i), i);
    else
        unpack(packed_at(v->at[i]), room);
    return room;
}

/* ---- packing processes ---- */

void
sb_procs_tire(struct sb_procs *v, const struct sb_proc *p)
{
    *SB_PUSH(&v->tired) = p->index;
}

static bool
has_nothing(const struct sb_proc *p)
{
    return p->mail.n == 0 && !p->mail.unsent && !p->calls && !p->sampled;
}

static bool
is_over(const struct sb_proc *p)
{
    return p->life.end != SB_NULL && p->stay.state == SB_STAY_GONE && !p->stay.pending &&
           p->gc.since == SB_AT_UNKNOWN && p->place_since == SB_AT_UNKNOWN && has_nothing(p);
}

enum tag { ENDED = 1, DOZES = 3 };

static void
sleep(struct sb_procs *v, size_t i, enum tag tag)
{
    uint8_t packed[MARKS + CODES + sizeof(struct sb_proc)];
    _Static_assert(sizeof packed + SLACK <= SB_PACKED_STEP * SB_PACKED_SIZES, "each size has a list");
    struct sb_proc *p = (struct sb_proc *)v->at[i];
    if (p->mail.n == 0) {
        free(p->mail.at);
        p->mail.at = NULL;
        p->mail.cap = p->mail.head = 0;
    }
    if (tag == ENDED)
        p->stay.gap = (struct sb_gap){0}; /* nobody asks what its last one was */
    size_t n = pack(packed, p);
    uint8_t *to = take_packed(v, n);
    memcpy(to, packed, n);
    v->at[i] = (uintptr_t)to + tag;
    v->awake--;
    *SB_PUSH(&v->free) = p;
}

void
sb_procs_rest(struct sb_procs *v, bool merges)
{
    for (size_t k = 0; k < v->tired.n; k++) {
        uint32_t i = v->tired.at[k];
        const struct sb_proc *p = sb_procs_sleeps(v, i) ? NULL : (const struct sb_proc *)v->at[i];
        if (p && is_over(p) && (p->calls_copied || !merges))
            sleep(v, i, ENDED);
    }
    v->tired.n = 0;
}

void
sb_procs_doze(struct sb_procs *v, const struct sb_proc *p)
{
    if (v->awake > AWAKE)
        sleep(v, p->index, DOZES);
}

void
sb_procs_end(struct sb_procs *v, size_t i)
{
    sleep(v, i, ENDED);
}

void
sb_procs_close(struct sb_procs *v)
{
    free(v->at);
    SB_VEC_FREE(&v->free);
    SB_VEC_FREE(&v->free_seeds);
    SB_VEC_FREE(&v->tired);
    sb_arena_close(&v->arena);
}
