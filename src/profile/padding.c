#include "profile/padding.h"
#include "profile/pack_impl.h"

/* Readers have arrays of things, by id; of events they hold a part at a time. */
struct bound {
    uint64_t free_rows, bytes,
        for_rows; /* beyond the free rows, so many bytes for so many rows; 0 bytes: none */
};

static struct bound
bound_of(enum sb_tab t)
{
    static const struct bound nodes = {1 << 16, 0, 1}, threads = {1 << 18, 0, 1}, things = {1 << 18, 8, 1},
                              few = {1 << 18, 4, 1}, events = {1 << 20, 1, 2}, rest = {1 << 20, 1, 4};
    switch (t) {
    case SB_T_node:
    case SB_T_meta:
        return nodes;
    case SB_T_thread:
    case SB_T_scheduler:
        return threads;
    case SB_T_mark: /* a merge holds those of one moment */
    case SB_T_loss:
    case SB_T_stack:
        return few;
    case SB_T_track: /* read as events are */
        return events;
    case SB_T_event:
        return rest;
    default:
        return sb_schema[t].ref[0].kind == SB_REF_KEY ? things : events;
    }
}

uint64_t
sb_padding_least(enum sb_tab t, uint64_t rows)
{
    struct bound b = bound_of(t);
    if (rows <= b.free_rows)
        return 0;
    return b.bytes == 0 ? SB_TOO_MANY : (rows - b.free_rows) / b.for_rows * b.bytes;
}

unsigned
sb_padding_bits(enum sb_tab t, uint64_t rows, uint64_t bytes)
{
    uint64_t least = sb_padding_least(t, rows);
    if (bytes >= least)
        return 0;
    unsigned bits = (unsigned)(((least - bytes) * 8 + rows - 1) / rows);
    return sb_pack_width_ok(bits) ? bits : 64;
}
