/*
 * Watches the records as they come for the conditions of when.h. Only a drain with such conditions looks at its
 * records one by one; the node does nothing for it.
 *
 * A condition fires when it begins to hold, and again when it has not held for as long as the window is: a trouble
 * that goes on is written once.
 */
#pragma once
#include "live/drain/when.h"
#include "trace/sbt/ring_ask.h"
#include "trace/sbt/ring_layout.h"

struct sb_fired {
    int64_t at_ns;
    sb_actor about[SB_WANTED]; /* processes of the node; 0: none */
    char why[SB_ASK_WHY];
};

struct sb_triggers;
bool sb_triggers_open(struct sb_triggers **t, const struct sb_layout *l, const char *const *when, unsigned n,
                      int64_t window_ns, struct sb_err *e);
/* Reads what the node has written since the last look. Chunks must still be in their rings. */
void sb_triggers_look(struct sb_triggers *t, int64_t now_ns);
/* Whether a condition begins to hold with time alone, as that of a call without an answer does. */
bool sb_triggers_wait(const struct sb_triggers *t);
/* Takes the next condition that has fired. False: there is none. */
bool sb_triggers_next(struct sb_triggers *t, struct sb_fired *f);
/* An event was logged at a level that was asked for; false: this is held off. */
bool sb_triggers_log(struct sb_triggers *t, int64_t at_ns);
void sb_triggers_close(struct sb_triggers *t);
