/* A hash map from 64-bit keys to 32-bit values. Open addressing, grows by doubling; one thread at a time. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sb_map {
    struct sb_map_slot {
        uint64_t key;
        uint32_t value;
        uint32_t used; /* 0: free; 1 after a put; the owner may keep other values but 0 here */
    } * slot;
    size_t cap, n;  /* cap is 0 or a power of two: */
    unsigned shift; /* of 64 - shift bits */
};

static inline uint64_t
sb_mix64(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* The home slot of a key. The top bits of a product depend on all bits of the key. */
static inline size_t
sb_map_home(const struct sb_map *m, uint64_t key)
{
    return (size_t)(key * 0x9e3779b97f4a7c15u >> m->shift);
}

static inline struct sb_map_slot *
sb_map_find(const struct sb_map *m, uint64_t key) /* NULL when absent; valid until the next put */
{
    if (m->n == 0)
        return NULL;
    for (size_t i = sb_map_home(m, key);; i = (i + 1) & (m->cap - 1)) {
        if (!m->slot[i].used)
            return NULL;
        if (m->slot[i].key == key)
            return &m->slot[i];
    }
}

static inline uint32_t *
sb_map_get(const struct sb_map *m, uint64_t key)
{
    struct sb_map_slot *s = sb_map_find(m, key);
    return s ? &s->value : NULL;
}

uint32_t *sb_map_put(struct sb_map *m, uint64_t key,
                     bool *is_new); /* finds or adds (value 0); is_new may be NULL */
/* The value of a key; `next` where the key is new: the place at which the caller appends what belongs to it. */
uint32_t sb_map_place(struct sb_map *m, uint64_t key, size_t next);
/* The element of a growing array (vec.h) that a map has for a key; where the key is new, one with these members:
 *     SB_AT_KEY(&m, key, &v, .from = from, .to = to)->count++; */
#define SB_AT_KEY(map, key, v, ...) \
    ({ \
        uint32_t place_ = sb_map_place(map, key, (v)->n); \
        if (place_ == (v)->n) \
            *SB_PUSH(v) = (__typeof__(*(v)->at)){__VA_ARGS__}; \
        &(v)->at[place_]; \
    })
bool sb_map_del(struct sb_map *m, uint64_t key);
void sb_map_clear(struct sb_map *m); /* keeps the memory */
void sb_map_close(struct sb_map *m);
/* Before the declaration of one: it is closed where its block ends. */
#define SB_SCOPED_MAP __attribute__((cleanup(sb_map_close)))
