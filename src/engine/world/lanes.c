#include "engine/world/lanes.h"
#include "base/order.h"

struct sb_scheduler_id
sb_lane_find(const struct sb_run *r, uint32_t key)
{
    const uint32_t *id = sb_map_get(&r->lanes.id, key);
    return (struct sb_scheduler_id){id ? *id : 0};
}

static void
add(struct sb_run *r, uint32_t key, int64_t first_seen)
{
    bool is_new;
    uint32_t *id = sb_map_put(&r->lanes.id, key, &is_new);
    if (!is_new)
        return;
    *SB_PUSH(&r->lanes.row) = (struct sb_lane_row){
        .lane = key, .active_ns = SB_NULL, .active_since = SB_NULL, .first_seen = first_seen};
    *id = (uint32_t)r->lanes.row.n;
    r->lanes.known[sb_lane_place(key)].key = key;
    r->lanes.known[sb_lane_place(key)].id = *id;
}

static void
add_lane(struct sb_run *r, unsigned node, sb_lane plain)
{
    add(r, node << 16 | plain, SB_NULL);
}

void
sb_lanes_known(struct sb_run *r, unsigned node, const struct sb_source_info *info)
{
    const struct {
        enum sb_lane_kind kind;
        uint32_t n;
    } kinds[] = {{SB_LANE_NORMAL, info->vm.schedulers},
                 {SB_LANE_DIRTY_CPU, info->vm.dirty_cpu},
                 {SB_LANE_DIRTY_IO, info->vm.dirty_io}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned i = 1; i <= kinds[k].n && i <= 1024; i++)
            add_lane(r, node, sb_lane_make(kinds[k].kind, i));
}

void
sb_lanes_meet(struct sb_part *x, uint32_t key, int64_t at)
{
    bool is_new;
    uint32_t *place = sb_map_put(&x->lanes.seen, key, &is_new);
    if (is_new) {
        *SB_PUSH(&x->lanes.fresh) = (struct sb_new_lane){at, key};
        *place = (uint32_t)x->lanes.fresh.n;
    }
    if (*place == 0)
        x->lanes.known[key % SB_LANES_KNOWN] = key + 1;
    else if (x->lanes.fresh.at[*place - 1].at > at)
        x->lanes.fresh.at[*place - 1].at = at;
}

SB_ORDER(by_time, struct sb_new_lane, SB_UP(at) ?: SB_UP(lane))

void
sb_lanes_window(struct sb_run *r)
{
    SB_SCOPED SB_VEC(struct sb_new_lane) all = {0};
    for (unsigned i = 0; i < SB_PARTS; i++) {
        struct sb_part *x = &r->part[i];
        for (size_t k = 0; k < x->lanes.fresh.n; k++) {
            *SB_PUSH(&all) = x->lanes.fresh.at[k];
            *sb_map_get(&x->lanes.seen, x->lanes.fresh.at[k].lane) = 0;
        }
        x->lanes.fresh.n = 0;
    }
    SB_SORT(&all, by_time);
    for (size_t k = 0; k < all.n; k++)
        add(r, all.at[k].lane, all.at[k].at);
}

void
sb_lanes_activity(struct sb_run *r, const struct sb_event *ev)
{
    sb_lane lane = sb_lane_plain(ev->lane);
    struct sb_lane_row *l = &r->lanes.row.at[sb_lane_id(r, ev->who, lane).i - 1];
    bool active = ev->kind == SB_EV_scheduler_active;
    /* the first event: the scheduler was in the opposite state since the start */
    if (l->active_ns == SB_NULL) {
        l->active_ns = 0;
        l->active_since = active ? SB_NULL : sb_node_start(r, l->lane >> 16);
    }
    if (active && l->active_since == SB_NULL)
        l->active_since = ev->at_ns;
    if (!active && l->active_since != SB_NULL) {
        l->active_ns += ev->at_ns - l->active_since;
        l->active_since = SB_NULL;
    }
}

void
sb_lanes_finish(struct sb_run *r)
{
    for (size_t i = 0; i < r->lanes.row.n; i++) {
        struct sb_lane_row *l = &r->lanes.row.at[i];
        if (l->active_since != SB_NULL)
            l->active_ns += sb_node_end(r, l->lane >> 16) - l->active_since;
        l->active_since = SB_NULL;
    }
}

void
sb_lanes_close(struct sb_lanes *l)
{
    SB_VEC_FREE(&l->row);
    sb_map_close(&l->id);
}
