/*
 * The conditions under which a flight recorder writes a trace by itself, as the options of `strobe record` and
 * strobe:flight/1 give them:
 *
 *     mailbox > 10000      run_queue > 50 for 2s      call shop_stock > 500ms
 *     no_yield > 200ms     memory > 2G                log error
 */
#pragma once
#include "base/err.h"
#include "base/str.h"

enum sb_when_kind {
    SB_WHEN_MAILBOX,
    SB_WHEN_RUN_QUEUE,
    SB_WHEN_CALL,
    SB_WHEN_NO_YIELD,
    SB_WHEN_MEMORY,
    SB_WHEN_LOG
};

struct sb_when {
    enum sb_when_kind kind;
    struct sb_str name; /* of a registered process; of a log level */
    int64_t limit;      /* messages, processes, nanoseconds or bytes */
    int64_t for_ns;
};

/* The result refers to the text. */
bool sb_when_read(struct sb_when *w, const char *text, struct sb_err *e);
