#include "serve/route.h"
#include "serve/code.h"

static const struct sb_column columns[] = {{"line", SB_INT, SB_U_NONE, "in its file"},
                                           {"text", SB_TEXT, SB_U_NONE, ""}};
enum { MOST_LINES = 2000 };

bool
sb_route_source(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct sb_code_function f;
    struct sb_code found;
    if (!sb_code_function_parse(sb_request_text(rq, "f"), &f))
        return sb_err_set(e, SB_ERR_INPUT, "f takes a function such as lists:map/2");
    sb_code_find(rq->profiles->source_dir, rq->profiles->n_source_dirs, &f, rq->arena, &found);
    struct sb_table *t = sb_reply_table(r, "line", columns, 2);
    sb_reply_text(r, "file", found.file);
    while (found.text.n > 0 && t->n_rows < MOST_LINES) {
        union sb_cell *c = sb_table_row(t);
        c[0].i = found.first_line++;
        c[1].s = sb_str_cut(&found.text, '\n');
        if (!c[1].s.p)
            c[1].s = SB_STR("");
    }
    return true;
}
