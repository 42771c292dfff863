#include "base/intern.h"
#include "base/hash.h"
#include "base/err.h"
#include <stdlib.h>

enum { FIRST_SLOTS = 64 };

void
sb_intern_init(struct sb_intern *t)
{
    *t = (struct sb_intern){0};
    sb_intern_put(t, (struct sb_str){0});
}

void
sb_intern_close(struct sb_intern *t)
{
    sb_arena_close(&t->arena);
    free(t->text);
    free(t->hash);
    free(t->slot);
    *t = (struct sb_intern){0};
}

static void
put_slot(struct sb_intern *t, uint32_t id)
{
    size_t i = t->hash[id] & (t->slots - 1);
    while (t->slot[i])
        i = (i + 1) & (t->slots - 1);
    t->slot[i] = id + 1;
}

static void
grow(struct sb_intern *t)
{
    t->slots = t->slots ? sb_mul_or_die(t->slots, 2) : FIRST_SLOTS;
    free(t->slot);
    t->slot = sb_zeroed_or_die(t->slots, sizeof *t->slot);
    t->cap = t->slots / 4 * 3;
    t->text = sb_realloc_or_die(t->text, sb_mul_or_die(t->cap, sizeof *t->text));
    t->hash = sb_realloc_or_die(t->hash, sb_mul_or_die(t->cap, sizeof *t->hash));
    for (size_t id = 0; id < t->n; id++)
        put_slot(t, (uint32_t)id);
}

static bool
find(const struct sb_intern *t, struct sb_str s, uint64_t hash, uint32_t *id)
{
    for (size_t i = hash & (t->slots - 1); t->slots && t->slot[i]; i = (i + 1) & (t->slots - 1)) {
        *id = t->slot[i] - 1;
        if (t->hash[*id] == hash && sb_str_eq(t->text[*id], s))
            return true;
    }
    return false;
}

bool
sb_intern_find(const struct sb_intern *t, struct sb_str s, uint32_t *id)
{
    return find(t, s, sb_hash_str(s), id);
}

uint32_t
sb_intern_put(struct sb_intern *t, struct sb_str s)
{
    uint64_t hash = sb_hash_str(s);
    uint32_t id;
    if (find(t, s, hash, &id))
        return id;
    if (t->n == t->cap)
        grow(t);
    SB_ASSERT(t->n < UINT32_MAX);
    id = (uint32_t)t->n++;
    t->text[id] = sb_arena_str(&t->arena, s);
    t->hash[id] = hash;
    put_slot(t, id);
    return id;
}
