#include "live/attach/joined.h"
#include "live/attach/line.h"
#include <unistd.h>

static bool
has(struct sb_str names, struct sb_str name)
{
    while (names.n > 0)
        if (sb_str_eq(sb_str_cut(&names, '\n'), name))
            return true;
    return false;
}

void
sb_joined_follow(const char *target, void (*joined)(void *ctx, struct sb_str node), void *ctx,
                 struct sb_err *e)
{
    SB_ARENA(a);
    struct sb_arena of[2] = {0}; /* of every other answer */
    struct sb_str before = {0}, now;
    struct sb_line l;
    bool ok = sb_line_find(&l, target, NULL, &a, e);
    l.as = "strobe_nodes"; /* recorders may use theirs at the same time */
    ok = ok && l.type->open(&l, e);
    for (unsigned i = 0; ok && l.type->nodes(&l, &of[i % 2], &now, e); i++) {
        for (struct sb_str rest = now; rest.n > 0;) {
            struct sb_str name = sb_str_cut(&rest, '\n');
            if (!has(before, name))
                joined(ctx, name);
        }
        if (i == 0)
            joined(ctx, (struct sb_str){0});
        before = now;
        sb_arena_reset(&of[(i + 1) % 2]);
        sleep(1);
    }
    sb_line_close(&l);
    sb_arena_close(&of[0]);
    sb_arena_close(&of[1]);
}
