/*
 * Where everything is in the rings of a node: a copy of what their heads said when they were checked.
 *
 * The node may be of another user, and it can change any word of the file while strobe reads it. So a reader takes
 * every place, size and number from here, reads any other word once, and copies records and names before it looks
 * into them. What it does not copy are counts, of which any value is harmless.
 */
#pragma once
#include "trace/sbt/ring.h"

struct sb_ring_place {
    uint64_t data_at;
    uint32_t chunk_bytes, n_chunks;
};

struct sb_layout {
    struct sb_rings *rings; /* the mapped file; it outlives the layout */
    uint64_t bytes, dict_at, dict_bytes;
    uint32_t n_rings, os_pid;
    int64_t start_ns;
    uint32_t largest;           /* bytes of the largest chunk */
    struct sb_ring_place *ring; /* n_rings of them */
};

/* Copies the layout and checks the copy: every ring and the dictionary must be inside a file of so many bytes. False:
 * they are not, and there is nothing to free. */
bool sb_layout_take(struct sb_layout *l, struct sb_rings *rings, uint64_t file_bytes);
void sb_layout_free(struct sb_layout *l);
bool sb_layout_is_same(const struct sb_layout *l); /* whether the file still says the same of itself */

/* Copies the head of a chunk, but for last_ns, and the records that `published` covers. False: there is no such chunk.
 * `to` has room for `largest` bytes. */
bool sb_layout_copy_chunk(const struct sb_layout *l, unsigned ring, uint64_t number, uint64_t published,
                          struct sb_chunk *to);
/* Returns a copy of these bytes of the dictionary, which are inside it; the caller frees it. */
uint8_t *sb_layout_copy_names(const struct sb_layout *l, uint64_t from, uint64_t n);

static inline struct sb_ring *
sb_layout_ring(const struct sb_layout *l, unsigned i)
{
    return sb_rings_at(l->rings, i);
}
static inline struct sb_chunk *
sb_layout_chunk(const struct sb_layout *l, unsigned i, uint64_t number)
{
    const struct sb_ring_place *p = &l->ring[i];
    return (struct sb_chunk *)((uint8_t *)l->rings + p->data_at + number % p->n_chunks * p->chunk_bytes);
}
static inline uint64_t
sb_layout_published(const struct sb_layout *l, unsigned i, uint64_t number)
{
    return atomic_load_explicit(&sb_layout_chunk(l, i, number)->published, memory_order_acquire);
}
