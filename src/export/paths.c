#include "export/paths.h"

void
sb_paths_open(struct sb_paths *p)
{
    *p = (struct sb_paths){0};
    *SB_PUSH(&p->nodes) = (struct sb_path){0};
}

void
sb_paths_close(struct sb_paths *p)
{
    SB_VEC_FREE(&p->nodes);
    sb_map_close(&p->child_of);
}

static uint32_t
child(struct sb_paths *p, uint32_t parent, uint32_t name) /* 0: there is no room for it */
{
    uint64_t key = (uint64_t)parent << 32 | name;
    const uint32_t *known = sb_map_get(&p->child_of, key);
    if (known)
        return *known;
    if (p->nodes.n >= SB_PATHS_MAX)
        return 0;
    uint32_t id = (uint32_t)p->nodes.n;
    struct sb_path *n = SB_PUSH(&p->nodes), *up = &p->nodes.at[parent];
    *n = (struct sb_path){.name = name, .parent = parent, .next = up->child, .depth = up->depth + 1};
    up->child = id;
    *sb_map_put(&p->child_of, key, NULL) = id;
    return id;
}

uint32_t
sb_paths_add(struct sb_paths *p, const uint32_t *frame, size_t n, int64_t value)
{
    uint32_t at = 0;
    p->nodes.at[0].total += value;
    for (size_t i = 0; i < n; i++) {
        uint32_t next = child(p, at, frame[i]);
        if (next == 0)
            break;
        p->nodes.at[at = next].total += value;
    }
    p->nodes.at[at].own += value;
    return at;
}

struct all {
    struct sb_paths *paths;
    const struct sb_stacks *stacks;
};

static bool
add_stack(void *ctx, const struct sb_stack *st)
{
    const struct all *a = ctx;
    int64_t value = sb_stacks_value(a->stacks, st);
    if (value > 0)
        sb_paths_add(a->paths, st->frame, st->n, value);
    return true;
}

void
sb_paths_add_all(struct sb_paths *p, struct sb_stacks *s)
{
    sb_stacks_each(s, add_stack, &(struct all){p, s});
}
