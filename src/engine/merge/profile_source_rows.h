/* Internals of profile_source.h: the state of a source, and the tables whose rows are events. Read-only
 * after opening, so any thread may use it. */
#pragma once
#include "base/map.h"
#include "profile/profile.h"
#include "profile/reader.h"
#include "trace/source.h"
#include "trace/text.h"

enum { SB_PROFILE_SOURCE_NAMES = SB_SLOT_TEXT + 1 };

struct sb_profile_source {
    struct sb_profile *p;
    struct sb_names *names;          /* of the source */
    int64_t node;                    /* node.id of the node that is replayed */
    int64_t shift_ns;                /* from the profile's axis to the node's own stamps */
    int64_t start_ns, end_ns;        /* of the node's trace; SB_NULL when it was empty */
    sb_actor *process, *port;        /* by id */
    uint8_t *own_process, *own_port; /* whether it belongs to this node */
    sb_lane *lane;                   /* by scheduler.id */
    uint8_t *own_lane;
    uint16_t *node_index;                    /* by node.id */
    uint32_t *name[SB_PROFILE_SOURCE_NAMES]; /* by slot type and text id: name id; 0: not looked up yet */
    size_t texts, nodes, lanes;
    struct sb_map open;   /* slices without an `out`, by sb_profile_source_slice_key */
    struct sb_map thread; /* tid of a thread of the node -> 1 + text id of its name */
    bool first;           /* first traced node of its profile */
    bool vm_reported;     /* system_profile reported runnable processes */
    unsigned table;       /* position of the block reader */
    uint64_t row, seq;
};

struct sb_profile_source_table {
    enum sb_tab tab;
    void (*events_of)(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row,
                      struct sb_events *out);
};
extern const struct sb_profile_source_table sb_profile_source_tables[];
extern const unsigned sb_profile_source_tables_n;

static inline int64_t
sb_profile_source_cell(struct sb_reader *r, unsigned col, uint64_t row)
{
    return sb_reader_block(r, col, row / SB_BLOCK_ROWS)[row % SB_BLOCK_ROWS];
}
/* Adds with wrap-around: a damaged profile may hold any numbers. */
static inline int64_t
sb_profile_source_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static inline int64_t
sb_profile_source_sub(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}
uint64_t sb_profile_source_slice_key(int64_t process, int64_t port, int64_t start);
sb_actor sb_profile_source_actor(const struct sb_profile_source *g, int64_t process);
uint32_t sb_profile_source_name(const struct sb_profile_source *g, enum sb_slot_type type, int64_t text);
