/* What is known of a trace that has just been recorded. */
#pragma once
#include "trace/sbt/sbt.h"

struct sb_recorded { /* one VM's trace */
    const char *path;
    uint32_t os_pid;
    bool complete; /* has its trailer */
    uint64_t bytes;
    struct sb_sbt_trailer totals;
    int64_t start_ns;
    bool by_otp;       /* a stream of OTP's trace port; its time and the CPU time of its writer are unknown */
    const char *rings; /* of a trace that is incomplete: the file in memory that holds the rest; NULL: none */
    uint64_t rings_bytes;
    bool drained_inside; /* by a thread of the node, not by a program of its own */
};

/* False if there is no such file. `rings`: where its rings were; may be NULL. */
bool sb_recorded_read(struct sb_recorded *r, const char *path, const char *rings, uint32_t os_pid);
/* The same for a stream of OTP's; it is scanned as a whole. */
bool sb_recorded_read_otp(struct sb_recorded *r, const char *path, const char *rings, uint32_t os_pid);
/* Renames the trace of an earlier recording to "x.sbt.old", as perf does. False: there was none. */
bool sb_recorded_keep_old(const char *trace);
