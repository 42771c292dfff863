/* The output of the pyramids: their tracks are written one after another through one list of rows. */
#pragma once
#include "engine/state/run.h"
#include "profile/pack.h"

struct sb_pyramid_out {
    const struct sb_run *run;
    struct sb_rows rows;
    int64_t tracks; /* written so far */
};

static inline int64_t /* Returns the track's id. */
sb_pyramid_out_track(struct sb_pyramid_out *to, const char *kind, int64_t ref)
{
    struct sb_build *b = to->run->services.build;
    sb_build_row(b, SB_T_track, (int64_t[]){++to->tracks, sb_build_text(b, sb_str_of(kind)), ref});
    return to->tracks;
}
static inline void
sb_pyramid_out_flush(struct sb_pyramid_out *to)
{
    sb_build_add(to->run->services.build, SB_T_pyramid, &to->rows);
}
static inline struct sb_pyramid_row * /* Returns a row to be filled. */
sb_pyramid_out_row(struct sb_pyramid_out *to)
{
    if (to->rows.n == SB_BLOCK_ROWS)
        sb_pyramid_out_flush(to);
    return sb_rows_put(&to->rows, SB_T_pyramid, 0, 0);
}
