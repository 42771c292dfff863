/*
 * Trace messages to events, as fprof's clauses tell them apart. What calls, returns and scheduling look like
 * in a file is read byte by byte; only what was never met before (a function, a process) becomes a term.
 */
#ifndef SB_ENGINE_FPROF_DECODE_H
#define SB_ENGINE_FPROF_DECODE_H
#include "engine/fprof/event.h"
#include "engine/fprof/terms.h"

struct fp_head { /* a message up to its tag, {trace_ts, Pid, call, as it lay in the file: most that come are
                    the same */
    uint8_t raw[120];
    uint32_t n, tracee;
    uint32_t shape; /* what the tag says is behind it */
};

struct fp_decoder { /* one a thread */
    struct fp_cache funcs, pids;
    bool nanoseconds;     /* the unit of fp_event.t */
    uint8_t last_raw[64]; /* the process of the message before, and its id */
    uint32_t last_n, last_pid;
    struct fp_head head[2]; /* the latest of odd and of even arity: returns and calls, mostly */
};

void fp_decoder_init(struct fp_decoder *d, struct fp_terms *funcs, struct fp_terms *pids, bool nanoseconds);
void fp_decoder_close(struct fp_decoder *d);

/* `p`: a record's payload, version byte and all. *tracee: whose message it is (0: no message of a process).
 */
void fp_decode(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, struct fp_event *ev,
               uint32_t *tracee);

/* Stamps: {Mega, Sec, Micro}, nanoseconds, or {nanoseconds, unique}; what is behind the stamp, NULL: none of
 * them. */
const uint8_t *fp_decode_stamp(const uint8_t *p, const uint8_t *end, bool nanoseconds, int64_t *t);
/* Whether the stamps of a file that begins with this message are nanoseconds. */
bool fp_decode_is_nanoseconds(const uint8_t *p, const uint8_t *end);

#endif
