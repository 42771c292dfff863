/*
 * What differs between two sides, each one run or several: the figures of diff.def, matched by name and place in the
 * tree of processes, and whether they differ beyond the noise (noise.h). Add the profiles of all runs, then ask. Of one
 * side alone it is the mean and the spread of its runs.
 */
#pragma once
#include "base/intern.h"
#include "base/vec.h"
#include "profile/sql/sql.h"

struct sb_diff_value {
    uint32_t question, run; /* run: in order of adding */
    int64_t value;
};
#define SB_DIFF_REST "(all others)" /* the subject of what is too small to be listed */
enum { SB_DIFF_KINDS = 32 };
struct sb_diff {
    struct sb_intern question;     /* kind and key of each; from 1 */
    SB_VEC(struct sb_str) subject; /* by question */
    SB_VEC(struct sb_diff_value) value;
    SB_VEC(bool) of_b;             /* by run */
    bool cut[SB_DIFF_KINDS];       /* by kind: a run has a rest */
    uint64_t most;                 /* figures of a kind in a run; 0: any number */
    int64_t deadline_ns;           /* on sb_clock_ns; 0: no limit */
    const _Atomic bool *cancelled; /* set to cancel; NULL: cannot be cancelled */
};
void sb_diff_init(struct sb_diff *d);
void sb_diff_close(struct sb_diff *d);
/* A run without processes, or one that cannot be read as a whole, is an error and is not added. */
bool sb_diff_add(struct sb_diff *d, const struct sb_profile *p, struct sb_sql *sql, bool of_b,
                 struct sb_err *e);

#define COLUMN(id, ...) id,
enum sb_diff_column {
#include "answer/diff_columns.def"
};
#undef COLUMN
/* The rows, those beyond the noise first. Subjects live as long as `d`. */
void sb_diff_table(const struct sb_diff *d, struct sb_arena *a, struct sb_table *t);
/* The table for people: at most `limit` rows (0: all), those beyond the noise if that can be told. diff_text.c */
void sb_diff_write(const struct sb_diff *d, const struct sb_table *t, uint64_t limit, struct sb_out *out);
/* The same as a page of HTML in one file. diff_html.c */
void sb_diff_write_html(const struct sb_diff *d, const struct sb_table *t, struct sb_out *out);
/* What is compared, in words, `then` after the first sentence; the texts of a row, of both sides or one. */
void sb_diff_write_head(const struct sb_diff *d, const struct sb_table *t, const char *then,
                        struct sb_out *out);
enum { SB_DIFF_TEXTS = 6 };
size_t sb_diff_texts(const union sb_cell *row, bool both, struct sb_arena *a, struct sb_str *text);
/* The rows that cost more than `share` beyond the noise. */
size_t sb_diff_over(const struct sb_table *t, double share);
size_t sb_diff_runs(const struct sb_diff *d, bool of_b);
bool sb_diff_can_tell(const struct sb_diff *d); /* there are enough runs to tell a difference from noise */
