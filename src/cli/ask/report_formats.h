/*
 * The formats of `strobe report --format`. A new format is a function and a row in report_formats.def:
 *     REPORT_FORMAT(name, needs_table, write)      needs_table: false when it makes a page of the whole
 * profile
 */
#ifndef SB_CLI_REPORT_FORMATS_H
#define SB_CLI_REPORT_FORMATS_H
#include "answer/answer.h"

struct sb_report {
    const struct sb_answer *answer;
    const struct sb_ask *ask;
    const struct sb_table *table;
    size_t width; /* of the terminal, in characters */
    bool brief;   /* of the summary only the first screen */
};
struct sb_report_format {
    const char *name;
    bool needs_table;
    bool (*write)(const struct sb_report *r, struct sb_out *out, struct sb_err *e);
};

#endif
