/*
 * Follows a trace that is still being written: takes in what was added (engine/growth.h), in the thread that calls
 * sb_follow_step, and adds an edition now and then. This takes half of a core at most; of several traces, which one
 * thread follows, at most one core. The profiles go to a folder of their own and lose their names once they are open.
 * When the recording has ended, the profile of the whole trace is kept beside it.
 */
#pragma once
#include "serve/editions.h"

enum sb_follow_state {
    SB_FOLLOW_RECORDING,
    SB_FOLLOW_ENDING, /* the whole trace is being analysed */
    SB_FOLLOW_ENDED,  /* the newest edition is the last one */
};

struct sb_follow;
/* Whether a drain is writing the file. */
bool sb_follow_is_written(const char *path);
/* `coming`: its recorder is at work, and the file need not exist yet; sb_follow_recorded states when that ends. */
struct sb_follow *sb_follow_open(const char *path, bool coming);
void sb_follow_recorded(struct sb_follow *f);
void sb_follow_leave(struct sb_follow *f); /* removes what it has on disk, once no step is running */
void sb_follow_close(struct sb_follow *f);
/* Does what is due, else returns at once. Returns false once the recording has ended and nothing more is to come. */
bool sb_follow_step(struct sb_follow *f, struct sb_editions *to, const _Atomic bool *stop);
enum sb_follow_state sb_follow_state(const struct sb_follow *f);
/* Copies a sentence about the end of the recording, or about what went wrong so far; empty: nothing to say. */
enum { SB_FOLLOW_SAID = 512 };
void sb_follow_said(struct sb_follow *f, char said[SB_FOLLOW_SAID]);
