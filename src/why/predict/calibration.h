/* What messages between cores cost on this machine, as `strobe calibrate` measured it. */
#pragma once
#include "why/predict/replay.h"

#define SB_CALIBRATION_NUMBERS(X) \
    X(cores, "schedulers of the largest measurement") \
    X(send, "ns more to send a message to a process on another core") \
    X(ready, "ns more if that process waits for it") \
    X(wake, "ns more if its core is idle as well") \
    X(receive, "ns more to receive a message from another core") \
    X(change, "ns to change from one process to another, on one scheduler") \
    X(dispatch, "ns more to begin with a process while other cores do the same") \
    X(start, "ns until an idle core begins with a process that was woken") \
    X(spawn, "ns to start a process, on one scheduler") \
    X(memory, "times as long for work in memory while all cores do the same")

struct sb_calibration {
    bool is_measured; /* else they are typical values */
#define NUMBER(name, doc) double name;
    SB_CALIBRATION_NUMBERS(NUMBER)
#undef NUMBER
};
/* $XDG_CACHE_HOME/strobe/calibration or ~/.cache/strobe/calibration; empty if neither is set. */
struct sb_str sb_calibration_path(struct sb_arena *a);
/* Reads the file; typical values if there is none, or if it is not whole. */
struct sb_calibration sb_calibration_read(void);
struct sb_replay_costs sb_calibration_costs(const struct sb_calibration *c, double times);
