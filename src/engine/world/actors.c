#include "engine/world/actors.h"
#include "base/order.h"

static uint32_t
add(struct sb_part *x, sb_actor a, int64_t at)
{
    *SB_PUSH(&x->lives) = (struct sb_life){.born = INT64_MIN};
    return sb_procs_add(&x->procs, a, at, x->run->axis.t0);
}

static uint32_t
add_first(struct sb_part *x, sb_actor a, int64_t at)
{
    return *sb_map_put(&x->index_of, a, NULL) = add(x, a, at);
}

/* The key of the k-th later life of the process with that index, from 1; key 0 is of how many there are. */
static uint64_t
later(uint32_t first, uint32_t k)
{
    return (uint64_t)first << 32 | k;
}

static uint32_t
life_at(const struct sb_part *x, uint32_t first, int64_t at)
{
    if (!x->lives.at[first].next_life)
        return first;
    uint32_t from = 0, to = *sb_map_get(&x->later, later(first, 0));
    SB_SEARCH(from, to, x->lives.at[*sb_map_get(&x->later, later(first, mid + 1))].born <= at);
    return from ? *sb_map_get(&x->later, later(first, from)) : first;
}

static int64_t *
first_seen(struct sb_part *x, uint32_t i)
{
    struct sb_seed *seed = sb_procs_seed(&x->procs, i);
    return seed ? &seed->first_seen : &sb_procs_at(&x->procs, i)->first_seen;
}

uint32_t
sb_actors_put_slow(struct sb_part *x, sb_actor a, int64_t at)
{
    const struct sb_map_slot *known = sb_map_find(&x->index_of, a);
    uint32_t life = life_at(x, known ? known->value : add_first(x, a, at), at);
    if (life >= x->numbered && at < *first_seen(x, life)) /* events of later windows are never earlier */
        *first_seen(x, life) = at;
    return life;
}

void
sb_actors_reborn(struct sb_run *r, sb_actor a, int64_t at)
{
    struct sb_part *x = &r->part[sb_actors_part(a)];
    uint32_t before = sb_actors_put(x, a, at), now = add(x, a, at);
    x->lives.at[now].born = at;
    sb_procs_seed(&x->procs, now)->since = at;
    x->lives.at[before].next_life = now + 1;
    x->reborn = true;
    struct sb_map_slot *first = sb_map_find(&x->index_of, a);
    first->used = 1;
    uint32_t k = ++*sb_map_put(&x->later, later(first->value, 0), NULL);
    *sb_map_put(&x->later, later(first->value, k), NULL) = now;
}

int64_t
sb_actors_id_slow(const struct sb_run *r, sb_actor a, int64_t at)
{
    if (sb_actor_kind(a) == SB_NAMED)
        return SB_NULL;
    const struct sb_part *x = &r->part[sb_actors_part(a)];
    const struct sb_map_slot *found = sb_map_find(&x->index_of, a);
    if (!found)
        return SB_NULL;
    uint32_t id = x->lives.at[life_at(x, found->value, at)].id;
    return id ? id : SB_NULL;
}

/* ---- numbering ---- */

static void
parts_of(const struct sb_names *names, sb_actor a, unsigned *node, uint64_t *serial, uint64_t *number)
{
    *node = sb_actor_node(a);
    *serial = sb_actor_serial(a);
    *number = sb_actor_number(a);
    if (sb_actor_kind(a) == SB_ODD)
        sb_names_odd_parts(names, a, node, serial, number);
}

int
sb_actors_cmp(const struct sb_names *names, sb_actor a, sb_actor b)
{
    if (a == b)
        return 0;
    if (sb_actor_kind(a) != sb_actor_kind(b))
        return sb_actor_kind(a) < sb_actor_kind(b) ? -1 : 1;
    if (sb_actor_kind(a) == SB_NAMED)
        return sb_str_cmp(sb_names_str(names, (uint32_t)(a & UINT32_MAX)),
                          sb_names_str(names, (uint32_t)(b & UINT32_MAX)));
    unsigned nodes[2];
    uint64_t serials[2], numbers[2];
    uint32_t creations[2];
    parts_of(names, a, &nodes[0], &serials[0], &numbers[0]);
    parts_of(names, b, &nodes[1], &serials[1], &numbers[1]);
    if (nodes[0] != nodes[1]) {
        struct sb_str n0 = sb_names_node_name(names, nodes[0], &creations[0]);
        struct sb_str n1 = sb_names_node_name(names, nodes[1], &creations[1]);
        int c = sb_str_cmp(n0, n1);
        if (c)
            return c;
        if (creations[0] != creations[1])
            return creations[0] < creations[1] ? -1 : 1;
    }
    if (serials[0] != serials[1])
        return serials[0] < serials[1] ? -1 : 1;
    return (numbers[0] > numbers[1]) - (numbers[0] < numbers[1]);
}

struct fresh {
    sb_actor actor;
    int64_t first_seen, born;
    struct sb_part *part;
    uint32_t index;
};

static int
by_mention(const void *a, const void *b, void *names)
{
    const struct fresh *f = a, *g = b;
    if (f->first_seen != g->first_seen)
        return f->first_seen < g->first_seen ? -1 : 1;
    int c = sb_actors_cmp(names, f->actor, g->actor);
    return c ? c : (f->born > g->born) - (f->born < g->born);
}

static void
number(struct sb_run *r, const struct fresh *f)
{
    bool port = sb_actor_kind(f->actor) == SB_PORT;
    struct sb_seed *seed = sb_procs_seed(&f->part->procs, f->index);
    struct sb_life *life = &f->part->lives.at[f->index];
    life->id = port ? ++r->ids.ports : ++r->ids.processes;
    uint64_t who = life->id | (uint64_t)port << 40;
    if (seed) {
        seed->id = life->id;
        seed->who = who;
    } else { /* in a merge, with places */
        sb_procs_at(&f->part->procs, f->index)->id = life->id;
        sb_procs_at(&f->part->procs, f->index)->who = who;
    }
    if (life->born == INT64_MIN &&
        life->next_life == 0) /* a process with a single life is found without sb_actors_id_slow */
        sb_map_find(&f->part->index_of, f->actor)->used = life->id + 1;
}

void
sb_actors_number(struct sb_run *r)
{
    SB_SCOPED SB_VEC(struct fresh) fresh = {0};
    for (unsigned i = 0; i < SB_PARTS; i++) {
        struct sb_part *x = &r->part[i];
        for (; x->numbered < x->procs.n; x->numbered++) {
            uint32_t k = (uint32_t)x->numbered;
            const struct sb_seed *seed = sb_procs_seed(&x->procs, k);
            sb_actor a = seed ? seed->actor : sb_procs_at(&x->procs, k)->actor;
            if (sb_actor_kind(a) != SB_NAMED) /* the "nobody" of a node is not a process */
                *SB_PUSH(&fresh) = (struct fresh){a, *first_seen(x, k), x->lives.at[k].born, x, k};
        }
    }
    if (fresh.n > 0)
        qsort_r(fresh.at, fresh.n, sizeof *fresh.at, by_mention, r->names);
    for (size_t i = 0; i < fresh.n; i++)
        number(r, &fresh.at[i]);
}
