/*
 * What processes did over time: slices without the collections in them, collections, and gaps, as spans that
 * do not overlap.
 *
 *     slice   |--------- normal -------|          |-- dirty --|
 *     gc            |----|
 *     gap                              |- wait -|r|           |-- handover --|
 *     spans   |run -| gc |--- running -| waiting|r|   dirty   |   handover   |
 *
 * Decoded on demand: for one process, or for everything within a range of time. Use from one thread at a
 * time.
 */
#pragma once
#include "base/vec.h"
#include "profile/range.h"
#include "profile/state.h"

struct sb_span {
    int64_t start, end, process,
        scheduler; /* SB_NULL if there is none; `process` is the id of a port for SB_STATE_PORT */
    enum sb_state state;
    bool dirty; /* on a dirty scheduler, also while collecting */
};

struct sb_states;
struct sb_states *sb_states_open(const struct sb_profile *p);
void sb_states_close(struct sb_states *s);
struct sb_spans {
    struct sb_span *at;
    size_t n, cap;
};
/* All spans of a process that are in the range, by start. SB_NULL: of all processes, by process and start. */
void sb_states_of(struct sb_states *s, int64_t process, struct sb_range range, struct sb_spans *out);
