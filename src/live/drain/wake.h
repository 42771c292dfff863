/*
 * How a node wakes its drain: by a change of the times of the rings' file, which the drain watches. A node does so when
 * the first event after a rest is recorded, and when it closes its rings.
 */
#pragma once

/* Returns a descriptor that is readable after each change of times; -1: not available. */
int sb_wake_open(const char *rings);
void sb_wake_take(int fd); /* reads all changes so far */
