/*
 * Asks the flight recorder of a node on this machine for its trace. The request goes through the first page of the
 * rings to the drain, so the node takes no part: it may be overloaded, or stuck.
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"

struct sb_snapshot {
    uint32_t os_pid;
    const char *why;  /* becomes the mark in the trace */
    const char *path; /* absolute; NULL: the next name of the recorder */
};

/* Waits until the trace is written; returns its path. */
bool sb_snapshot_ask(const struct sb_snapshot *s, struct sb_arena *a, struct sb_str *path, struct sb_err *e);
