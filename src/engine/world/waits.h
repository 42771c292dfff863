/*
 * Which functions wait: a process scheduled out in one of them may be in a receive; in any other it was
 * preempted. strobe's own traces state these functions (event `waits`); for other traces they are learned
 * from what processes did next.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sb_waits_kind {
    SB_WAITS_UNKNOWN,
    SB_WAITS_UNSEEN, /* the function itself is unknown */
    SB_WAITS_NEVER,
    SB_WAITS_BOTH,
    SB_WAITS_BUSY,   /* suspended until a connection to a node takes more; or its time slice was used up */
    SB_WAITS_ALWAYS, /* except for a race, or a process whose mailbox was not empty */
    SB_WAITS_SLEEPS, /* a process is scheduled out there only to wait */
    SB_WAITS_HIBERNATES, /* the same, unless it has mail when it hibernates */
    SB_WAITS_DEAF,       /* waits there, whether or not messages arrive */
};

struct sb_run;
struct sb_waits;
struct sb_waits *sb_waits_open(const struct sb_run *r);
void sb_waits_close(struct sb_waits *w);
bool sb_waits_learned(const struct sb_waits *w); /* from events, not stated by the trace */
bool
sb_waits_see_none(const struct sb_waits *w); /* no process receives a message: nothing could be learned */
void sb_waits_set(struct sb_waits *w, uint32_t fn, enum sb_waits_kind kind);
/* Of a trace that grows: remembers which of the functions with a smaller name id sb_waits_of was asked about. A later
 * statement that changes one of these answers is a contradiction. */
void sb_waits_expect(struct sb_waits *w, uint32_t functions);
bool sb_waits_contradicted(const struct sb_waits *w);
enum sb_waits_kind sb_waits_of(const struct sb_waits *w,
                               uint32_t fn); /* any thread, after the last sb_waits_set */

/* Learns from all events, part by part and in ranges of time. What the trace itself states takes
 * precedence. */
struct sb_items;
struct sb_learner;
/* the trace does not state it, but its events may allow to learn it */
bool sb_learner_wanted(const struct sb_run *r);
struct sb_learner *sb_learner_open(struct sb_run *r);
void sb_learner_look(struct sb_learner *l, size_t part, struct sb_items *items, unsigned worker);
void sb_learner_close(struct sb_learner *l); /* stores the verdicts */
