/*
 * `--fail-on 'NAME OP VALUE'`: a limit on an answer, for CI. NAME is an item of the summary (blanks may be
 * written as _), or a column of a table; any row may cross the limit. An unknown value crosses no limit: a
 * limit on an item that is unknown is an error.
 */
#pragma once
#include "base/table.h"

struct sb_limit {
    struct sb_str text, name, value;
    const char *op;
};
bool sb_limit_parse(const char *text, struct sb_limit *l, struct sb_err *e);
/* Is the limit crossed in some row? Then `where` names the row and its value. */
bool sb_limit_check(const struct sb_limit *l, const struct sb_table *t, bool *crossed, struct sb_str *where,
                    struct sb_err *e);
