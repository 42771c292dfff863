/* The options of an analysis. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct sb_engine_options {
    unsigned threads; /* 0: one per core */
    /* limit for events that wait to be ordered; 0: 512 MiB. More go to an unlinked file */
    uint64_t memory_bytes;
    uint32_t wrap_count;
    bool messages;       /* store every message, not only edges (default true) */
    bool calls;          /* build call trees if calls were recorded (default true) */
    const char *trace;   /* identity of the trace that the profile is kept for (kept.h); NULL: none */
    const char *tmp_dir; /* for spills; NULL: beside the profile */
    /* returns false to stop the analysis */
    bool (*progress)(void *ctx, uint64_t done_bytes, uint64_t total_bytes);
    void *ctx;
    struct sb_pool_log *log; /* what the analysis did; NULL: it is not asked for */
};
