#include "engine/world/counted.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "profile/build.h"

struct counted { /* the call counts of one function on a node */
    uint32_t fn;
    int64_t from;    /* when counting began */
    uint64_t calls;  /* of earlier counting periods */
    uint64_t latest; /* of the current period */
    /* whether any count was recorded; whether the latest one was read when the recording ended */
    bool known, ended;
};
struct sb_counted {
    SB_VEC(struct counted) of;
    struct sb_map place; /* node << 32 | function -> index */
};

struct sb_counted *
sb_counted_open(void)
{
    struct sb_counted *c = sb_zeroed_or_die(1, sizeof *c);
    return c;
}

void
sb_counted_close(struct sb_counted *c)
{
    if (!c)
        return;
    SB_VEC_FREE(&c->of);
    sb_map_close(&c->place);
    free(c);
}

void
sb_counted_take(struct sb_run *r, const struct sb_event *ev)
{
    struct sb_counted *c = r->counted;
    uint64_t key = (uint64_t)sb_actor_node(ev->who) << 32 | ev->counter.mfa;
    struct counted *f = SB_AT_KEY(&c->place, key, &c->of, .fn = ev->counter.mfa, .from = ev->at_ns);
    if (ev->counter.calls == SB_UNKNOWN) { /* counting begins, possibly again */
        f->calls += f->latest;
        f->latest = 0;
        f->ended = false;
    } else {
        f->latest = ev->counter.calls;
        f->known = true;
        f->ended = ev->counter.last == 1;
    }
}

void
sb_counted_finish(struct sb_run *r)
{
    SB_ARENA(arena);
    for (size_t i = 0; i < r->counted->of.n; i++) {
        const struct counted *f = &r->counted->of.at[i];
        struct sb_function_count count = {
            .mfa = sb_build_text(r->services.build, sb_names_print(r->names, f->fn, &arena)),
            .calls = f->known ? (int64_t)(f->calls + f->latest) : SB_NULL,
            .from = sb_rel(r, f->from),
            .at_least = !f->ended,
        };
        sb_build_counted(r->services.build, &count);
        sb_arena_reset(&arena);
    }
}
