/* The tracks of single processes. */
#pragma once
#include "engine/pyramid/pyramid_out.h"

struct sb_process_index;

struct sb_process_tracks;
struct sb_process_tracks *sb_process_tracks_open(const struct sb_run *r);
void sb_process_tracks_close(struct sb_process_tracks *k);
/* Makes buckets wide enough for the present axis; before the spans of a window are added. */
void sb_process_tracks_fit(struct sb_process_tracks *k);
void sb_process_tracks_part(struct sb_process_tracks *k, const struct sb_part *x);
void sb_process_tracks_settle(struct sb_process_tracks *k);
void sb_process_tracks_write(struct sb_process_tracks *k, const struct sb_process_index *all,
                             struct sb_pyramid_out *to);
