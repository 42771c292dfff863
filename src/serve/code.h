/*
 * The source code of a function. Only the folders of --source are searched, for a file with the name of the
 * module; a request never contains a path. Depth, number of files and bytes read are bounded.
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"

struct sb_code {
    struct sb_str file; /* relative to its folder; empty if nothing was found */
    struct sb_str text; /* whole lines: comments, specification and clauses of the function */
    int64_t first_line;
};

struct sb_code_function {
    /* without quotes; for a fun or a comprehension the function that contains it */
    struct sb_str module, function;
};

bool sb_code_function_parse(struct sb_str text, struct sb_code_function *out);
void sb_code_find(const char *const *folder, size_t n, const struct sb_code_function *f, struct sb_arena *a,
                  struct sb_code *out);
/* Returns the lines of a function in the text of a module. */
struct sb_str sb_code_cut(struct sb_str text, struct sb_str function, bool elixir, int64_t *first_line);
