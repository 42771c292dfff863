/* The totals of a recording at its end, from the heads of its rings. */
#pragma once
#include "trace/sbt/ring_layout.h"
#include "trace/sbt/sbt.h"

enum { SB_TOTALS_GAPS = 4096 };

/* Adds up events and losses, and lists the losses that no block reports. `t` is zero before. */
void sb_totals_sum(const struct sb_layout *l, struct sb_sbt_trailer *t,
                   struct sb_sbt_gap gaps[SB_TOTALS_GAPS]);
uint64_t sb_totals_events(const struct sb_layout *l); /* written by the node so far */
uint64_t sb_totals_lost(const struct sb_sbt_trailer *t);
