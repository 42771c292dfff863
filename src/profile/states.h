/*
 * What processes did when: slices, with collections taken out of them, and gaps, as spans that don't overlap.
 *
 *     slice   |--------- normal -------|          |-- dirty --|
 *     gc            |----|
 *     gap                              |- wait -|r|           |-- handover --|
 *     spans   |run -| gc |--- running -| waiting|r|   dirty   |   handover   |
 *
 * Decoded as asked for: of one process, or of all that lies within a stretch of time. One thread at a time.
 */
#ifndef SB_PROFILE_STATES_H
#define SB_PROFILE_STATES_H
#include "base/vec.h"
#include "profile/profile.h"
#include "profile/state.h"

struct sb_span {
    int64_t start, end, process,
        scheduler; /* SB_NULL where there is none; a port's id in `process` for SB_STATE_PORT */
    enum sb_state state;
    bool dirty; /* on a dirty scheduler, collecting or not */
};

struct sb_states;
struct sb_states *sb_states_open(const struct sb_profile *p);
void sb_states_close(struct sb_states *s);
struct sb_spans {
    struct sb_span *at;
    size_t n, cap;
};
/* All spans of a process that touch [t0, t1), by start. SB_NULL: of everybody, by process and start. */
void sb_states_of(struct sb_states *s, int64_t process, int64_t t0, int64_t t1, struct sb_spans *out);

#endif
