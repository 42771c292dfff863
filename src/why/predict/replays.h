/* Replays of one plan on several numbers of cores and with several costs, side by side in threads. */
#pragma once
#include "why/predict/calibration.h"

enum { SB_REPLAYS = 128 };
#define SB_REPLAYS_LEAST (-1.0) /* the longest chain without costs and without waits that nothing explains */
struct sb_replays {
    struct sb_replay_plan plan;
    const struct sb_calibration *calibration;
    struct sb_replays_one {
        uint32_t cores; /* 0: as many as could ever be busy */
        double times;   /* the costs of the calibration; 0: none; or SB_REPLAYS_LEAST, with `cores` 0 */
        bool is_made;
        struct sb_replay replay;
    } at[SB_REPLAYS];
    size_t n;
    bool knows_span;
    int64_t span_ns; /* the longest chain without costs */
};
/* Adds a replay to those that the next sb_replays_make makes. */
void sb_replays_need(struct sb_replays *r, uint32_t cores, double times);
/* The results do not depend on the number of threads. */
void sb_replays_make(struct sb_replays *r);
/* Where not all of a smaller number of cores were busy at once, or where it took no longer than the longest chain,
 * that replay is the answer. */
struct sb_replay sb_replays_of(struct sb_replays *r, uint32_t cores, double times);
