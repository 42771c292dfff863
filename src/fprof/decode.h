/*
 * Decodes trace messages into events, with the same case distinctions as fprof's clauses. Calls, returns and
 * scheduling are read byte by byte; a function or a process becomes a term only when it is seen for the first
 * time.
 */
#pragma once
#include "fprof/event.h"
#include "fprof/terms.h"

struct fp_head { /* the bytes of a message up to its tag: {trace_ts, Pid, call. Most messages repeat one */
    uint8_t raw[120];
    uint32_t n, tracee;
    uint32_t shape; /* index of the layout after the tag */
};

struct fp_decoder { /* one per thread */
    struct fp_cache funcs, pids;
    bool nanoseconds;     /* the unit of fp_event.t */
    uint8_t last_raw[64]; /* the process of the previous message, and its id */
    uint32_t last_n, last_pid;
    struct fp_head head[2]; /* the last heads of odd and of even arity: usually a return and a call */
};

void fp_decoder_init(struct fp_decoder *d, struct fp_terms *funcs, struct fp_terms *pids, bool nanoseconds);
void fp_decoder_close(struct fp_decoder *d);

/* Decodes a record. `p`: its payload, from the version byte. *tracee: the process of the message, 0 if it
 * has none. */
void fp_decode(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, struct fp_event *ev,
               uint32_t *tracee);

/* Returns whether a file that begins with this message has time stamps in nanoseconds. */
bool fp_decode_is_nanoseconds(const uint8_t *p, const uint8_t *end);
