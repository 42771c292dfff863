/*
 * Which functions wait: a process that goes out in one of them may be in a receive, in any other it was
 * preempted. strobe's own traces say it (event `waits`); for others it is learned from what processes did
 * next.
 */
#ifndef SB_ENGINE_WAITS_H
#define SB_ENGINE_WAITS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sb_waits_kind {
    SB_WAITS_UNKNOWN,
    SB_WAITS_NEVER,
    SB_WAITS_BOTH,
    SB_WAITS_ALWAYS,     /* but for a race, and who had mail already */
    SB_WAITS_SLEEPS,     /* nothing but waiting takes a process off a scheduler there */
    SB_WAITS_HIBERNATES, /* the same, but for who has mail when it lies down */
    SB_WAITS_DEAF,       /* nothing but waiting, and its mail waits meanwhile */
};

struct sb_run;
struct sb_waits;
struct sb_waits *sb_waits_open(const struct sb_run *r);
void sb_waits_close(struct sb_waits *w);
void sb_waits_say(struct sb_waits *w, uint32_t fn, enum sb_waits_kind kind);
enum sb_waits_kind sb_waits_of(const struct sb_waits *w,
                               uint32_t fn); /* any thread, while nobody says anything */

/* Learning from all events, part by part, stretch by stretch of time. What the trace says itself stands. */
struct sb_items;
struct sb_learner;
bool sb_learner_wanted(const struct sb_run *r); /* nobody says it, but what processes do next may */
struct sb_learner *sb_learner_open(struct sb_run *r);
void sb_learner_look(struct sb_learner *l, size_t part, struct sb_items *items, unsigned worker);
void sb_learner_close(struct sb_learner *l); /* with its verdicts */

#endif
