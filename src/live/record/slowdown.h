/* How much slower a core is while others work: cores may be two threads of one, or clock down together. */
#pragma once

/* How many steps of a fixed computation a core makes in a nanosecond of CPU time; 0: unknown. What the operating system
 * runs instead does not count. */
struct sb_core_speed {
    double alone, together; /* the highest of all measurements, and the lowest */
};

/* Adds a measurement with so many busy threads, which takes some 60 ms. Machines change their speed while programs run:
 * measure before and after them. */
void sb_core_speed_measure(struct sb_core_speed *s, unsigned threads);

/* How many times as long a core takes when others work, at worst; at least 1. */
double sb_core_slowdown(const struct sb_core_speed *s);
