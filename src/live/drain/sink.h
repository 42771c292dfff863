/* Where a drain puts what it reads from the rings: the file of a trace, or the window of a flight recorder. One
 * thread. */
#pragma once
#include "live/drain/drain_options.h"

struct sb_cpu;
struct sb_sink {
    const struct sb_sink_type *type;
    const struct sb_layout *layout;
    const struct sb_sbt_held *held; /* what it has of each ring */
    const char *cwd;                /* the working directory of the node; empty: unknown */
    void *state;                    /* of the type; NULL: not open */
};

struct sb_sink_moment {
    int64_t now_ns, first_ns; /* first_ns: of the first chunk; INT64_MAX: there is none */
    uint64_t cpu_ns;          /* CPU time of the drain so far */
    bool hurries;             /* a ring fills up */
    const struct sb_cpu *cpu; /* samples; NULL: none */
    bool alive;               /* the node */
};

struct sb_sink_type {
    bool takes_open; /* what is in chunks that the node still writes, too */
    bool (*open)(struct sb_sink *s, const struct sb_drain_options *o, struct sb_err *e);
    void (*look)(struct sb_sink *s, int64_t now_ns); /* before a pass; may be NULL */
    bool (*put_names)(struct sb_sink *s,
                      struct sb_err *e); /* of the dictionary, before its events; may be NULL */
    bool (*put)(struct sb_sink *s, const struct sb_sbt_block *b, const void *raw, uint64_t cpu_ns,
                struct sb_err *e);
    /* After a pass. `*busy`: it has more to do. `*reads`: the threads of the node are to be read for it. */
    bool (*step)(struct sb_sink *s, const struct sb_sink_moment *m, bool *busy, bool *reads,
                 struct sb_err *e);
    /* `t` has what the drain knows of the trace; what was in the rings is added. */
    bool (*finish)(struct sb_sink *s, const struct sb_sink_moment *m, struct sb_sbt_trailer *t,
                   struct sb_err *e);
    uint64_t (*bytes)(const struct sb_sink *s); /* of the file; may be NULL */
    void (*close)(struct sb_sink *s);
};

extern const struct sb_sink_type sb_sink_file, sb_sink_flight;
