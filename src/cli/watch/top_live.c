#include "cli/watch/top_live.h"
#include "base/signals.h"
#include "cli/record/recording.h"
#include "cli/watch/top_state.h"
#include "live/attach/attach.h"
#include "live/watch/beside.h"
#include <poll.h>
#include <unistd.h>

/* Events cost the node at most a hundredth of a core. */
enum { STEP_MS = 50, BUFFER = 16 << 20, PERMILLE = 10 };

struct live {
    const struct sb_top_live *o;
    struct sb_top_state state;
    struct sb_watch watch;
    struct sb_rings_of at;
    struct sb_arena *arena;
};

/* Waits for a key, a signal, an answer of the node, or the time of the next step. */
static void
await(struct live *l, const struct sb_attached *of)
{
    struct pollfd p[4] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = of->signals, .events = POLLIN}};
    poll(p, 2 + sb_attached_poll(of, p + 2), STEP_MS);
    l->state.leave |= sb_signals_ask_to_stop(of->signals) || (p[0].revents & (POLLHUP | POLLERR)) != 0;
}

static bool
take_keys(struct live *l)
{
    bool any = false;
    for (int key = sb_top_read_key(); key >= 0 && !l->state.leave; key = sb_top_read_key()) {
        sb_top_key(&l->state, key);
        any = true;
    }
    return any;
}

/* Draws when a window has ended, when the node has answered, and after a key. */
static bool
show(struct live *l, const struct sb_attached *of, struct sb_err *e)
{
    struct sb_top_state *s = &l->state;
    uint32_t windows = UINT32_MAX, answers = 0;
    while (!s->leave) {
        SB_TRY(sb_watch_step(&l->watch, e));
        bool more = l->watch.windows.n != windows || l->watch.answers != answers;
        if (more)
            sb_top_refresh(s);
        if (take_keys(l) || more)
            sb_top_draw(s);
        windows = l->watch.windows.n;
        answers = l->watch.answers;
        await(l, of);
    }
    return true;
}

static void
state_init(struct live *l, const struct sb_attached *of)
{
    l->state = (struct sb_top_state){.watch = &l->watch,
                                     .node = of->name,
                                     .schedulers = sb_watch_schedulers(&l->watch, of),
                                     .interval_ns = l->o->interval_ns,
                                     .view = {.sort = l->o->sort, .elixir = l->o->elixir}};
    sb_top_rows_init(&l->state.rows);
    sb_arena_init(&l->state.page);
}

static void
state_close(struct live *l)
{
    sb_top_rows_close(&l->state.rows);
    sb_arena_close(&l->state.page);
    SB_VEC_FREE(&l->state.line);
}

static bool
watch(void *ctx, const struct sb_attached *of, struct sb_err *e)
{
    struct live *l = ctx;
    struct sb_watch_options how = {.interval_ns = l->o->interval_ns, .permille = PERMILLE};
    SB_TRY(sb_watch_open(&l->watch, of, &how, e));
    sb_beside_learn(&l->watch, of, &l->at, l->arena);
    state_init(l, of);
    bool ok = sb_top_screen_open(&l->state, e);
    if (ok) {
        ok = show(l, of, e);
        sb_top_screen_close(&l->state);
    }
    state_close(l);
    sb_watch_close(&l->watch);
    return ok;
}

int
sb_top_live(const struct sb_top_live *o, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct live l = {.o = o, .arena = a};
    struct sb_attach_result of = {0};
    struct sb_record_options how = {.what = {.classes = "procs,running,messages,gc", .buffer = BUFFER}};
    struct sb_attach_options attach = {
        .target = o->target, .via = o->via, .how = &how, .force = o->force, .watch = watch, .ctx = &l};
    bool ok = sb_watch_node(&attach, &l.at, a, &of, &e);
    sb_recording_print_left(of.node, of.left.at, of.left.n);
    int code = !ok ? sb_cli_fail(&e) : of.left.n > 0;
    SB_VEC_FREE(&of.left);
    return code;
}
