#include "base/map.h"
#include "base/arena.h"
#include <stdlib.h>

enum { SMALLEST = 4 };

/* The slot that holds the key, or the free one where it belongs. */
static struct sb_map_slot *
probe(const struct sb_map *m, uint64_t key)
{
    size_t i = sb_map_home(m, key);
    while (m->slot[i].used && m->slot[i].key != key)
        i = (i + 1) & (m->cap - 1);
    return &m->slot[i];
}

static void
grow(struct sb_map *m)
{
    struct sb_map old = *m;
    m->cap = old.cap ? sb_mul_or_die(old.cap, 2) : SMALLEST;
    m->shift = 64 - (unsigned)__builtin_ctzll(m->cap);
    m->slot = sb_zeroed_or_die(m->cap, sizeof *m->slot);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slot[i].used)
            *probe(m, old.slot[i].key) = old.slot[i];
    free(old.slot);
}

uint32_t *
sb_map_put(struct sb_map *m, uint64_t key, bool *is_new)
{
    if (m->n >= m->cap / 4 * 3)
        grow(m);
    struct sb_map_slot *s = probe(m, key);
    bool added = !s->used;
    if (added) {
        *s = (struct sb_map_slot){.key = key, .used = 1};
        m->n++;
    }
    if (is_new)
        *is_new = added;
    return &s->value;
}

uint32_t
sb_map_place(struct sb_map *m, uint64_t key, size_t next)
{
    bool is_new;
    uint32_t *place = sb_map_put(m, key, &is_new);
    if (is_new)
        *place = (uint32_t)next;
    return *place;
}

/* Closes the hole by moving displaced entries back, so that no deletion marker is needed. */
bool
sb_map_del(struct sb_map *m, uint64_t key)
{
    if (m->n == 0)
        return false;
    struct sb_map_slot *s = probe(m, key);
    if (!s->used)
        return false;
    size_t mask = m->cap - 1, hole = (size_t)(s - m->slot);
    for (size_t i = (hole + 1) & mask; m->slot[i].used; i = (i + 1) & mask) {
        size_t home = sb_map_home(m, m->slot[i].key);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            m->slot[hole] = m->slot[i];
            hole = i;
        }
    }
    m->slot[hole].used = 0;
    m->n--;
    return true;
}

void
sb_map_clear(struct sb_map *m)
{
    if (m->slot)
        memset(m->slot, 0, m->cap * sizeof *m->slot);
    m->n = 0;
}

void
sb_map_close(struct sb_map *m)
{
    free(m->slot);
    *m = (struct sb_map){0};
}
