/* What a recording is asked to do: `strobe record`, `attach` and the drains that these start. */
#pragma once
#include "live/drain/flight.h"
#include "live/record/folder.h"

struct sb_record_notice; /* record.h */

struct sb_record_options {
    const char *trace; /* path of the trace, "x.sbt" */
    struct sb_recording what;
    uint64_t max_events, max_bytes;
    struct sb_flight_options flight; /* of a flight recorder: `trace` names its traces */
    int level;
    char **command; /* argv, NULL-terminated */
    void (*notify)(const struct sb_record_options *o, const struct sb_record_notice *n);
    void *of; /* for `notify` */
};
