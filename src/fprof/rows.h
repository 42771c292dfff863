/*
 * Rows of the analysis and the columns they are written in:
 *     {[{{m,f,1},                                     12,    3.456,    1.234}],     %
 *     head id, to W1                                 CNT to W2, ACC to W3, OWN to W3-1, tail, comment
 */
#pragma once
#include "fprof/fprof.h"

struct fp_row {
    uint32_t id, other; /* function and caller, or a process */
    int64_t cnt, own, acc;
};

struct fp_row fp_row_of(const struct fp_clock *c);
void fp_row_add(struct fp_row *sum, const struct fp_row *r); /* adds the numbers */

/* The clocks of many processes, summed by function and caller. */
struct fp_row_sums {
    SB_VEC(struct fp_row) row;
    struct sb_map at;
};
void fp_row_sums_add_proc(struct fp_row_sums *s, const struct fp_proc *p);
void fp_row_sums_close(struct fp_row_sums *s);

struct fp_rows {
    struct sb_fprof *profile;
    struct sb_out *out;
    unsigned width[4]; /* of id, cnt, acc, own */
    struct sb_arena arena;
    struct fp_name {
        struct sb_str text; /* with its comma */
        size_t chars;
    } * name; /* by function id; filled in on demand */
};

/* set `out` before a row is written */
void fp_rows_init(struct fp_rows *r, struct sb_fprof *f, unsigned cols);
void fp_rows_close(struct fp_rows *r);
void fp_rows_put_head(struct fp_rows *r);
void fp_rows_put(struct fp_rows *r, const char *head, uint32_t func, const struct fp_row *row,
                 const char *tail, const char *comment);
/* writes the header of a block; the acc of a process is undefined */
void fp_rows_put_header(struct fp_rows *r, const char *id, const struct fp_row *row, bool has_acc,
                        const char *tail, const char *comment);
