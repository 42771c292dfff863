/* How much slower a core is while others work: cores may be two threads of one, or clock down together. */
#ifndef SB_LIVE_SLOWDOWN_H
#define SB_LIVE_SLOWDOWN_H

/*
 * Returns the CPU time that a fixed computation takes on each of `threads` busy threads, as a multiple of that on one;
 * at least 1. It takes some 60 ms. What the operating system runs instead does not count, since CPU time is measured.
 */
double sb_slowdown(unsigned threads);

#endif
