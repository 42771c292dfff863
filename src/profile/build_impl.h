/* A profile that is being written, as the files of the writer share it. */
#pragma once
#include "base/intern.h"
#include "profile/build.h"
#include "profile/functions.h"
#include "profile/press.h"
#include "profile/segment.h"

struct sb_build_table {
    struct sb_press_table press;
    size_t most;         /* rows per segment */
    struct sb_rows rest; /* rows not yet written */
    bool found;          /* its rows come in windows */
};

struct sb_build {
    struct sb_out out;
    struct sb_press press;
    struct sb_segment segment; /* the segment that is being written */
    struct sb_intern texts;
    struct sb_build_table table[SB_TABLES];
    struct sb_functions functions; /* computed from call_node, unless the caller writes them */
    int64_t call_nodes;            /* numbers given so far */
    struct sb_rows *last;          /* the lists of sb_build_last */
    size_t n_last;
};

void sb_build_directory(struct sb_build *b); /* writes the end of the file */
