/*
 * Functions and processes as small numbers. fprof accepts any term for either, so the table holds terms. A
 * decoding thread looks up raw bytes in its own cache, and takes the lock only for a term that it sees for
 * the first time.
 */
#pragma once
#include "base/file.h"
#include "base/intern.h"
#include "base/vec.h"
#include "trace/term/etf.h"
#include <pthread.h>

enum { FP_NO_TERM, FP_UNDEFINED, FP_SUSPEND, FP_GARBAGE_COLLECT }; /* ids of these atoms in every table */

struct fp_terms {
    pthread_mutex_t lock;
    /* the text of a term, and the node of a pid: equal keys mean equal terms */
    struct sb_intern keys;
    SB_VEC(struct sb_etf) term; /* by id */
    struct sb_out key;          /* scratch space, under the lock */
};

void fp_terms_init(struct fp_terms *t);
void fp_terms_close(struct fp_terms *t);
uint32_t fp_terms_put(struct fp_terms *t, const struct sb_etf *term); /* thread-safe */
/* the common form of {M,F,Arity}: atoms and a small integer */
static inline bool
fp_is_mfa(const struct sb_etf *t)
{
    return t->kind == SB_TERM_TUPLE && t->n == 3 && t->at[0].kind == SB_TERM_ATOM &&
           t->at[1].kind == SB_TERM_ATOM && t->at[2].kind == SB_TERM_INT;
}
uint32_t *fp_terms_rank(const struct fp_terms *t); /* maps id to place in Erlang's term order; free it */

/*
 * ---- by raw bytes, one cache per thread
 *
 * A term is usually followed by the same term as last time. Each entry stores its successor, which is
 * compared first; this saves finding the end of the bytes and hashing them.
 */
struct fp_cached {
    uint64_t hash;
    const uint8_t *raw;
    uint32_t n, id;
    uint32_t next; /* the entry that followed it last time */
    bool function; /* {M,F,Arity} */
};

enum { FP_EXPECTED_BITS = 13 };

struct fp_cache {
    struct fp_terms *terms;
    struct sb_arena arena, scratch; /* copies of the raw bytes; space for terms being added */
    SB_VEC(struct fp_cached) entry; /* [0] is none, and longer than any term */
    uint32_t *slot;                 /* indices of entries; 0: free */
    size_t slots;
    uint32_t last, before;                    /* the last two entries */
    uint32_t expected[1 << FP_EXPECTED_BITS]; /* entries, indexed by the last two */
};

void fp_cache_init(struct fp_cache *c, struct fp_terms *t);
void fp_cache_close(struct fp_cache *c);
uint32_t fp_cache_add(struct fp_cache *c, uint64_t hash, const uint8_t *raw,
                      size_t n); /* returns its entry; 0: not a term */

/* Compares 16 bytes per step; the last step overlaps the one before. */
static inline bool
fp_same_bytes(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint64_t x[2], y[2];
    if (n < sizeof x)
        return memcmp(a, b, n) == 0;
    for (size_t i = 0;; i += sizeof x) {
        i = i < n - sizeof x ? i : n - sizeof x;
        memcpy(x, a + i, sizeof x);
        memcpy(y, b + i, sizeof y);
        if ((x[0] ^ y[0]) | (x[1] ^ y[1]))
            return false;
        if (i == n - sizeof x)
            return true;
    }
}

/* Records the current entry as the successor of the last ones. */
static inline void
fp_cache_meet(struct fp_cache *c, uint32_t *expected, uint32_t entry)
{
    *expected = entry;
    c->entry.at[c->last].next = entry;
    c->before = c->last;
    c->last = entry;
}

static inline uint32_t *
fp_cache_expected(struct fp_cache *c)
{
    return &c->expected[(c->before * 0x9e3779b1u ^ c->last * 0x85ebca6bu) >> (32 - FP_EXPECTED_BITS)];
}

/* Returns the entry that followed the last two entries before, or the last one, if its bytes are at p. */
static inline const struct fp_cached *
fp_cache_guess(struct fp_cache *c, const uint8_t *p, const uint8_t *end)
{
    uint32_t *expected = fp_cache_expected(c), guess = *expected;
    const struct fp_cached *e = &c->entry.at[guess];
    if ((size_t)(end - p) < e->n || !fp_same_bytes(p, e->raw, e->n)) {
        guess = c->entry.at[c->last].next;
        e = &c->entry.at[guess];
        if ((size_t)(end - p) < e->n || !fp_same_bytes(p, e->raw, e->n))
            return NULL;
    }
    fp_cache_meet(c, expected, guess);
    return e;
}
