#include "engine/world/alias.h"

enum { AGE = 1 << 17 }; /* most aliases of the young generation */

static void
close_age(struct sb_alias_age *g)
{
    sb_map_close(&g->place_of);
    SB_VEC_FREE(&g->owner);
}

void
sb_aliases_close(struct sb_aliases *a)
{
    close_age(&a->young);
    close_age(&a->old);
}

static void
put(struct sb_aliases *a, uint64_t key, sb_actor owner)
{
    if (a->young.owner.n == AGE) {
        close_age(&a->old);
        a->old = a->young;
        a->young = (struct sb_alias_age){0};
    }
    *sb_map_put(&a->young.place_of, key, NULL) = (uint32_t)a->young.owner.n;
    *SB_PUSH(&a->young.owner) = owner;
}

sb_actor
sb_alias_owner(struct sb_aliases *a, unsigned node, uint32_t alias)
{
    uint64_t key = (uint64_t)node << 32 | alias;
    const uint32_t *place = sb_map_get(&a->young.place_of, key);
    if (place)
        return a->young.owner.at[*place];
    place = sb_map_get(&a->old.place_of, key);
    if (!place)
        return 0;
    sb_actor owner = a->old.owner.at[*place];
    put(a, key, owner);
    return owner;
}

void
sb_alias_seen(struct sb_aliases *a, uint32_t alias, sb_actor who)
{
    if (sb_alias_owner(a, sb_actor_node(who), alias) == 0)
        put(a, (uint64_t)sb_actor_node(who) << 32 | alias, who);
}
