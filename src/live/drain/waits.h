/*
 * Finds where the source of functions stands, and which wait for messages, so that a reader can distinguish a waiting
 * process from a preempted one: a process that is scheduled out in a function without a receive did not wait. All is
 * found in the .beam files, outside of the node, as the dictionary grows: one file at a time, since reading a file
 * takes time in which the rings are not drained. So a reader knows them soon after the events, and a killed node is
 * covered too.
 */
#pragma once
#include "live/drain/made.h"

struct sb_waits {
    struct sb_made made;   /* records, all with the same time */
    SB_VEC(uint8_t) names; /* dictionary entries with the names of its funs */
    uint64_t places;       /* records of functions that only samples of the CPU show */
    uint32_t stated;       /* the functions of the dictionary up to this id have been looked for */
};

/* `cwd`: the working directory of the node; NULL or empty: unknown. */
struct sb_waits_finder;
struct sb_waits_finder *sb_wait_finder_open(const char *cwd);
void sb_wait_finder_close(struct sb_waits_finder *f);
/* Takes in what was added to a dictionary, which has `n` bytes by now. */
void sb_waits_dictionary(struct sb_waits_finder *f, const uint8_t *dict, uint64_t n);
/* Takes in a function that samples of the CPU show, as the VM writes it, m:f/a, with the number of its first frame. */
void sb_waits_sampled(struct sb_waits_finder *f, struct sb_str name, uint32_t frame);
/* Appends what is found out about the next functions: those of one module that is new, at most. Returns whether more
 * functions are left. */
bool sb_waits_step(struct sb_waits_finder *f, struct sb_waits *w);
/* Appends the rest, and looks once more for the modules that were not found. */
void sb_waits_last(struct sb_waits_finder *f, struct sb_waits *w);

/* Covers every function and fun of the dictionary whose module's file is found. */
void sb_waits_find(struct sb_waits *w, const uint8_t *dict, uint64_t n, const char *cwd);
