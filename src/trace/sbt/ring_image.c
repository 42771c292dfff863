#include "trace/sbt/ring_image.h"
#include "base/bytes.h"
#include <sys/mman.h>

/* ---- copying */

enum { PART_HEAD = 16, RING_BYTES = offsetof(struct sb_ring, tail) };

struct copied {               /* of one ring */
    uint64_t chunk;           /* the first one that is not copied as a whole */
    uint64_t published;       /* of this, the last copy */
    uint8_t ring[RING_BYTES]; /* its head, as copied; what the reader writes is left out */
};

struct sb_ring_copier {
    const struct sb_layout *layout;
    uint64_t dict_used;
    bool begun;
    struct copied *copied;
};

struct sb_ring_copier *
sb_ring_copier_open(const struct sb_layout *l)
{
    struct sb_ring_copier *c = SB_HEAP(struct sb_ring_copier, .layout = l);
    c->copied = sb_zeroed_or_die(l->n_rings, sizeof *c->copied);
    for (unsigned i = 0; i < l->n_rings; i++)
        c->copied[i].chunk = atomic_load(&sb_layout_ring(l, i)->tail);
    return c;
}

void
sb_ring_copier_close(struct sb_ring_copier *c)
{
    free(c->copied);
    free(c);
}

/* `place`: what the bytes replace in the rings. */
static void
put_part(struct sb_ring_copier *c, struct sb_ring_parts *to, const void *place, const void *bytes, uint64_t n)
{
    size_t padded = (size_t)(n + 7) & ~(size_t)7;
    SB_RESERVE(to, PART_HEAD + padded);
    uint8_t *p = to->at + to->n;
    sb_put_le64(p, (uint64_t)((const uint8_t *)place - (const uint8_t *)c->layout->rings));
    sb_put_le64(p + 8, n);
    memcpy(p + PART_HEAD, bytes, n);
    memset(p + PART_HEAD + n, 0, padded - n);
    to->n += PART_HEAD + padded;
}

/* A chunk may grow while it is copied; what counts is what was published before. */
static bool
put_chunk(struct sb_ring_copier *c, unsigned ring, uint64_t number, struct copied *done,
          struct sb_ring_parts *to, struct sb_err *e)
{
    const struct sb_chunk *chunk = sb_layout_chunk(c->layout, ring, number);
    uint64_t published = sb_layout_published(c->layout, ring, number);
    uint32_t had = (uint32_t)done->published, has = (uint32_t)published;
    if (chunk->magic != SB_CHUNK_MAGIC || has > c->layout->ring[ring].chunk_bytes - sizeof *chunk ||
        has < had)
        return sb_err_set(e, SB_ERR_INPUT, "the rings are damaged");
    if (published == done->published && done->published)
        return true;
    struct sb_chunk head = {.magic = chunk->magic,
                            .lane = chunk->lane,
                            .ring = chunk->ring,
                            .number = chunk->number,
                            .published = published,
                            .first_ns = chunk->first_ns,
                            .cpu_ns = chunk->cpu_ns,
                            .gap_from_ns = chunk->gap_from_ns};
    memcpy(head.dropped, chunk->dropped, sizeof head.dropped);
    put_part(c, to, chunk, &head, sizeof head);
    put_part(c, to, (const uint8_t *)(chunk + 1) + had, (const uint8_t *)(chunk + 1) + had, has - had);
    done->published = published;
    return true;
}

static bool
put_chunks(struct sb_ring_copier *c, unsigned ring, uint64_t head, struct sb_ring_parts *to, struct sb_err *e)
{
    struct copied *done = &c->copied[ring];
    if (head - done->chunk > c->layout->ring[ring].n_chunks)
        return sb_err_set(e, SB_ERR_INPUT, "the rings are damaged");
    for (uint64_t i = done->chunk; i < head; i++) {
        SB_TRY(put_chunk(c, ring, i, done, to, e));
        if (i + 1 == head) /* the node writes to it */
            break;
        done->chunk = i + 1;
        done->published = 0;
        atomic_store_explicit(&sb_layout_ring(c->layout, ring)->tail, done->chunk, memory_order_release);
    }
    return true;
}

static bool
put_ring(struct sb_ring_copier *c, unsigned i, struct sb_ring_parts *to, struct sb_err *e)
{
    struct sb_ring *ring = sb_layout_ring(c->layout, i), now;
    struct copied *done = &c->copied[i];
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    memcpy(&now, ring, RING_BYTES);
    atomic_store(&now.head, head);
    if (!c->begun || memcmp(&now, done->ring, RING_BYTES) != 0)
        put_part(c, to, ring, &now, RING_BYTES);
    memcpy(done->ring, &now, RING_BYTES);
    return put_chunks(c, i, head, to, e);
}

/* The head of the file first: its size is that of the image. The dictionary last: it has the names of all events that
 * are copied by then. */
bool
sb_ring_copy(struct sb_ring_copier *c, struct sb_ring_parts *to, struct sb_err *e)
{
    size_t head_at = to->n + PART_HEAD;
    struct sb_rings *rings = c->layout->rings;
    put_part(c, to, rings, rings, sizeof *rings);
    for (unsigned i = 0; i < c->layout->n_rings; i++)
        SB_TRY(put_ring(c, i, to, e));
    uint64_t used = atomic_load_explicit(&rings->dict_used, memory_order_acquire);
    if (used > c->layout->dict_bytes || used < c->dict_used)
        return sb_err_set(e, SB_ERR_INPUT, "the rings are damaged");
    const uint8_t *more = (const uint8_t *)rings + c->layout->dict_at + c->dict_used;
    put_part(c, to, more, more, used - c->dict_used);
    memcpy(to->at + head_at + offsetof(struct sb_rings, dict_used), &used, sizeof used);
    c->dict_used = used;
    c->begun = true;
    return true;
}

uint64_t
sb_ring_copier_events(const struct sb_ring_copier *c)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < c->layout->n_rings; i++)
        for (unsigned k = 0; k < SB_KINDS_MAX; k++)
            n += sb_layout_ring(c->layout, i)->kinds[k];
    return n;
}

/* ---- an image */

static bool
damaged(struct sb_err *e)
{
    return sb_err_set(e, SB_ERR_INPUT, "what the node sent of its rings is damaged");
}

/* The first part of the first copy is the head of the file. */
static bool
begin(struct sb_ring_image *m, struct sb_str parts, struct sb_err *e)
{
    struct sb_rings head;
    if (parts.n < PART_HEAD + sizeof head)
        return damaged(e);
    memcpy(&head, parts.p + PART_HEAD, sizeof head);
    if (head.magic != SB_RING_MAGIC || head.total_bytes < SB_RING_PAGE ||
        head.total_bytes > SB_RING_IMAGE_MAX)
        return sb_err_set(e, SB_ERR_INPUT, "these rings belong to another version of strobe");
    void *p =
        mmap(NULL, (size_t)head.total_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return sb_err_errno(e, "get memory for a copy of the rings");
    *m = (struct sb_ring_image){.rings = p, .bytes = head.total_bytes};
    return true;
}

static bool
add_part(struct sb_ring_image *m, struct sb_str *parts)
{
    if (parts->n < PART_HEAD)
        return false;
    uint64_t at = sb_get_le64((const uint8_t *)parts->p), n = sb_get_le64((const uint8_t *)parts->p + 8);
    *parts = sb_str_sub(*parts, PART_HEAD, parts->n);
    if (n > parts->n || at > m->bytes || n > m->bytes - at)
        return false;
    if (n > 0)
        memcpy((uint8_t *)m->rings + at, parts->p, n);
    *parts = sb_str_sub(*parts, (n + 7) & ~(uint64_t)7, parts->n);
    return true;
}

bool
sb_ring_image_add(struct sb_ring_image *m, struct sb_str parts, struct sb_err *e)
{
    if (!m->rings)
        SB_TRY(begin(m, parts, e));
    while (parts.n > 0)
        if (!add_part(m, &parts))
            return damaged(e);
    if (m->layout.rings)
        return sb_layout_is_same(&m->layout) || damaged(e);
    return sb_layout_take(&m->layout, m->rings, m->bytes) ||
           sb_err_set(e, SB_ERR_INPUT, "these rings belong to another version of strobe");
}

void
sb_ring_image_close(struct sb_ring_image *m)
{
    sb_layout_free(&m->layout);
    if (m->rings)
        munmap(m->rings, (size_t)m->bytes);
    *m = (struct sb_ring_image){0};
}
