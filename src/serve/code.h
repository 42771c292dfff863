/*
 * The code of a function, looked for in the folders that --source names and nowhere else: a file is found by
 * the name of its module, never by a path that somebody asks for. Bounded in depth, in files looked at and in
 * bytes read.
 */
#ifndef SB_SERVE_CODE_H
#define SB_SERVE_CODE_H
#include "base/arena.h"
#include "base/err.h"

struct sb_code {
    struct sb_str file; /* below its folder; empty when nothing was found */
    struct sb_str text; /* whole lines: comments, specification and clauses of the function */
    int64_t first_line;
};

struct sb_code_function {
    /* without quotes; of a fun or comprehension, the function around it */
    struct sb_str module, function;
};

bool sb_code_function_parse(struct sb_str text, struct sb_code_function *out);
void sb_code_find(const char *const *folder, size_t n, const struct sb_code_function *f, struct sb_arena *a,
                  struct sb_code *out);
/* the lines of a function in the text of a module; exported for its test */
struct sb_str sb_code_cut(struct sb_str text, struct sb_str function, bool elixir, int64_t *first_line);

#endif
