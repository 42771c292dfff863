/* Messages between lanes as arrows: from the send to the slice that fetched the message. */
#pragma once
#include "serve/profiles.h"
#include "serve/reply.h"

/* Adds the table `flow` and the fact `flows`, the number of messages of which a part is in [t0, t1): between the
 * processes `id`, or between all of them and with the schedulers of both ends (n == 0). Where they are too many to tell
 * apart the table is empty, since a part would mislead. */
void sb_lane_flows(const struct sb_served *b, int64_t t0, int64_t t1, const int64_t *id, size_t n,
                   struct sb_reply *r);
