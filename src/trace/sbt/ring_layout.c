#include "trace/sbt/ring_layout.h"
#include "base/arena.h"
#include <stdlib.h>

/* Real rings are far below these: a node's dictionary has 16 MB, its chunks some 100 KB. */
enum { RINGS_MAX = 8192, CHUNK_MAX = 1 << 26, DICT_MAX = 1 << 28 };

static struct sb_layout
read_head(struct sb_rings *r)
{
    return (struct sb_layout){.rings = r,
                              .bytes = r->total_bytes,
                              .dict_at = r->dict_at,
                              .dict_bytes = r->dict_bytes,
                              .n_rings = r->n_rings,
                              .os_pid = r->os_pid,
                              .start_ns = r->start_ns};
}

static struct sb_ring_place
read_place(const struct sb_layout *l, unsigned i)
{
    const struct sb_ring *r = sb_layout_ring(l, i);
    return (struct sb_ring_place){r->data_at, r->chunk_bytes, r->n_chunks};
}

static bool
place_makes_sense(const struct sb_layout *l, const struct sb_ring_place *p)
{
    uint64_t bytes = (uint64_t)p->n_chunks * p->chunk_bytes;
    return p->n_chunks >= 2 && p->chunk_bytes >= SB_RING_PAGE && p->chunk_bytes <= CHUNK_MAX &&
           p->chunk_bytes % 64 == 0 && p->data_at % 64 == 0 && p->data_at <= l->bytes &&
           bytes <= l->bytes - p->data_at;
}

static bool
head_makes_sense(const struct sb_layout *l, uint64_t file_bytes)
{
    return l->rings->version == 1 && l->rings->event_kinds == SB_EVENT_KINDS && l->bytes == file_bytes &&
           l->n_rings > 0 && l->n_rings <= RINGS_MAX && SB_RING_PAGE * (1ull + l->n_rings) <= l->bytes &&
           l->dict_at % 8 == 0 && l->dict_at <= l->bytes && l->dict_bytes <= l->bytes - l->dict_at &&
           l->dict_bytes <= DICT_MAX;
}

bool
sb_layout_take(struct sb_layout *l, struct sb_rings *rings, uint64_t file_bytes)
{
    *l = read_head(rings);
    if (!head_makes_sense(l, file_bytes))
        return false;
    l->ring = sb_realloc_or_die(NULL, l->n_rings * sizeof *l->ring);
    for (unsigned i = 0; i < l->n_rings; i++) {
        l->ring[i] = read_place(l, i);
        if (!place_makes_sense(l, &l->ring[i])) {
            sb_layout_free(l);
            return false;
        }
        l->largest = l->ring[i].chunk_bytes > l->largest ? l->ring[i].chunk_bytes : l->largest;
    }
    return true;
}

void
sb_layout_free(struct sb_layout *l)
{
    free(l->ring);
    *l = (struct sb_layout){.rings = NULL};
}

bool
sb_layout_is_same(const struct sb_layout *l)
{
    struct sb_layout now = read_head(l->rings);
    bool same = head_makes_sense(&now, l->bytes) && now.n_rings == l->n_rings && now.dict_at == l->dict_at &&
                now.dict_bytes == l->dict_bytes && now.os_pid == l->os_pid && now.start_ns == l->start_ns;
    for (unsigned i = 0; same && i < l->n_rings; i++) {
        struct sb_ring_place p = read_place(l, i);
        same = p.data_at == l->ring[i].data_at && p.chunk_bytes == l->ring[i].chunk_bytes &&
               p.n_chunks == l->ring[i].n_chunks;
    }
    return same;
}

bool
sb_layout_copy_chunk(const struct sb_layout *l, unsigned ring, uint64_t number, uint64_t published,
                     struct sb_chunk *to)
{
    const struct sb_chunk *from = sb_layout_chunk(l, ring, number);
    uint32_t bytes = (uint32_t)published;
    if (bytes > l->ring[ring].chunk_bytes - sizeof *from)
        return false;
    *to = (struct sb_chunk){
        .magic = from->magic, .lane = from->lane, .ring = (uint16_t)ring, .number = from->number};
    atomic_init(&to->published, published);
    memcpy(&to->first_ns, &from->first_ns, SB_CHUNK_PREFIX + bytes);
    return to->magic == SB_CHUNK_MAGIC && to->number == number;
}

uint8_t *
sb_layout_copy_names(const struct sb_layout *l, uint64_t from, uint64_t n)
{
    uint8_t *copy = sb_realloc_or_die(NULL, n > 0 ? n : 1);
    memcpy(copy, (const uint8_t *)l->rings + l->dict_at + from, n);
    return copy;
}
