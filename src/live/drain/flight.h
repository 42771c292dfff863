/*
 * The flight recorder of a drain: keeps the last seconds in memory (window.h), and writes them as a trace when it is
 * asked (trace/sbt/ring_ask.h) or when a trigger fires (trigger.h). Nothing reaches the disk until then.
 *
 *     chunks ──put──> window ──(asked, trigger, end of the node)──> T.1.sbt, T.2.sbt, ... at most `keep`
 *
 * A trace is written piece by piece between the passes over the rings, so that these do not fill meanwhile. An error
 * ends that trace alone. One thread.
 */
#pragma once
#include "live/drain/window.h"

enum { SB_FLIGHT_WHENS = 16, SB_FLIGHT_BYTES = 128 << 20, SB_FLIGHT_KEEP = 10 };
struct sb_flight_options {
    int64_t window_ns;  /* 0: no flight recorder */
    uint64_t max_bytes; /* of the window */
    unsigned keep;      /* traces; the oldest is removed */
    const char *when[SB_FLIGHT_WHENS];
    unsigned n_when;
    bool takes_paths; /* a request may name the file of its trace */
};

struct sb_flight;
/* `trace`: "T.sbt", where the traces are T.1.sbt and so on. */
bool sb_flight_open(struct sb_flight **f, const struct sb_layout *l, const char *trace, int level,
                    const struct sb_flight_options *o, struct sb_err *e);
void sb_flight_put(struct sb_flight *f, const struct sb_sbt_block *b, const void *raw, uint64_t cpu_ns);
/* Looks at the new records in the rings, for triggers. Called before their chunks are put. */
void sb_flight_look(struct sb_flight *f, int64_t now_ns);
/* Whether a trace is to be begun: the caller reads the threads of the node then. */
bool sb_flight_wants(struct sb_flight *f, int64_t now_ns);
/* After each pass: moves the window, or writes a piece of a trace. `cwd`: the working directory of the node. */
void sb_flight_step(struct sb_flight *f, int64_t now_ns, uint64_t cpu_ns, const char *cwd);
/* Whether it writes a trace, waits for stacks, or watches a call that has no answer: it wants to be called soon. */
bool sb_flight_is_busy(const struct sb_flight *f);
/* Writes what is asked for, and if `why` is not NULL, a trace for this reason. */
void sb_flight_finish(struct sb_flight *f, const char *why, int64_t now_ns, uint64_t cpu_ns, const char *cwd);
void sb_flight_close(struct sb_flight *f);
