#include "cli/watch/top.h"
#include "base/signals.h"
#include "cli/frame/cli.h"
#include "cli/watch/top_state.h"
#include <semaphore.h>
#include <unistd.h>

/* Events cost a node at most a hundredth of a core. */
enum { STEP_MS = 50, BUFFER = 16 << 20, PERMILLE = 10 };

/* The thread of a node only attaches to it and removes all again. While it is up, it waits, and this one, which draws,
 * uses the watch: so no two threads use one at a time. */
enum stage { COMING, UP, GOING, GONE };

struct live_node {
    struct sb_top_node node;
    const struct sb_top_live *o;
    struct sb_top_watched *of;
    const struct sb_attached *attached;
    atomic_int stage;
    sem_t leave;
    bool failed; /* as `why` says */
    struct sb_err why;
};

struct live {
    const struct sb_top_live *o;
    struct sb_top_state state;
    struct live_node *node;
    size_t n;
    int signals;
};

/* ---- in the thread of a node */

static bool
watch(void *ctx, const struct sb_attached *of, struct sb_err *e)
{
    struct live_node *n = ctx;
    struct sb_watch *w = &n->of->watch;
    struct sb_watch_options how = {.interval_ns = n->o->interval_ns, .permille = PERMILLE};
    SB_TRY(sb_watch_open(w, of, &how, e));
    sb_beside_learn(w, of, &n->node.at, &n->node.arena);
    n->attached = of;
    atomic_store(&n->stage, UP);
    while (sem_wait(&n->leave) != 0)
        ;
    sb_watch_close(w);
    if (n->failed)
        *e = n->why;
    return !n->failed;
}

static void
ended(struct sb_top_node *n)
{
    atomic_store(&((struct live_node *)n->attach.ctx)->stage, GONE);
}

/* ---- in the thread that draws */

static void
let_go(struct live_node *n)
{
    n->of->up = false;
    n->of->why = "ended";
    atomic_store(&n->stage, GOING);
    sem_post(&n->leave);
}

/* Takes what has come from a node, and what has become of it. */
static void
step(struct live *l, size_t i)
{
    struct live_node *n = &l->node[i];
    int stage = atomic_load(&n->stage);
    if (stage == UP && !n->of->up) {
        n->of->up = true;
        n->of->name = n->attached->name;
        n->of->schedulers = sb_watch_schedulers(&n->of->watch, n->attached);
    }
    if (stage == GONE && !n->node.ok)
        n->of->why = n->node.err.what;
    if (stage != UP || sb_watch_step(&n->of->watch, &n->why))
        return;
    n->failed = true;
    sb_top_forget(&l->state, i);
    let_go(n);
}

/* A number that changes when a node comes or goes, ends a window, or answers. */
static uint64_t
news(const struct live *l)
{
    uint64_t all = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct sb_top_watched *of = l->node[i].of;
        all = all * 31 + (uint64_t)atomic_load(&l->node[i].stage);
        all = of->up ? all * 31 + of->watch.windows.n + ((uint64_t)of->watch.answers << 32) : all;
    }
    return all;
}

static size_t
count(const struct live *l, int stage)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += atomic_load(&l->node[i].stage) == stage;
    return n;
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

/* Waits for a key, a signal, an answer of a node, or the time of the next step. */
static void
await(struct live *l, struct pollfd *p)
{
    nfds_t n = 2;
    p[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    p[1] = (struct pollfd){.fd = l->signals, .events = POLLIN};
    for (size_t i = 0; i < l->n; i++)
        n += l->node[i].of->up ? sb_attached_poll(l->node[i].attached, p + n) : 0;
    poll(p, n, STEP_MS);
    l->state.leave |= sb_signals_ask_to_stop(l->signals) || (p[0].revents & (POLLHUP | POLLERR)) != 0;
}

/* Draws when a window has ended, when a node has answered, come or gone, and after a key. */
static void
show(struct live *l)
{
    struct sb_top_state *s = &l->state;
    struct pollfd *p = sb_zeroed_or_die(2 + 2 * l->n, sizeof *p);
    for (uint64_t seen = 0, now; !s->leave && count(l, UP) + count(l, COMING) > 0; seen = now) {
        for (size_t i = 0; i < l->n; i++)
            step(l, i);
        now = news(l) + 1;
        if (now != seen)
            sb_top_refresh(s);
        if (take_keys(l) || now != seen)
            sb_top_draw(s);
        await(l, p);
    }
    free(p);
}

static void
begin(struct live *l)
{
    const struct sb_top_target *t = &l->o->nodes;
    struct sb_top_state *s = &l->state;
    *s = (struct sb_top_state){.nodes = l->n,
                               .node = sb_zeroed_or_die(l->n, sizeof *s->node),
                               .interval_ns = l->o->interval_ns,
                               .view = {.sort = l->o->sort, .elixir = l->o->elixir}};
    sb_top_rows_init(&s->rows, l->n);
    for (size_t i = 0; i < l->n; i++) {
        struct live_node *n = &l->node[i];
        s->node[i] =
            (struct sb_top_watched){.name = sb_str_of(t->n ? t->target[i] : ""), .why = "connecting"};
        n->o = l->o;
        n->of = &s->node[i];
        n->why.at_byte = SB_NO_BYTE;
        n->node.attach = (struct sb_attach_options){.watch = watch, .ctx = n};
        n->node.ended = ended;
        sem_init(&n->leave, 0, 0);
        sb_top_node_begin(&n->node, t, i, BUFFER);
    }
}

/* Every node is as before then. */
static int
end(struct live *l)
{
    struct sb_top_state *s = &l->state;
    int code = 0;
    for (size_t i = 0; i < l->n; i++)
        if (!l->node[i].failed)
            sem_post(&l->node[i].leave);
    for (size_t i = 0; i < l->n; i++) {
        int ended = sb_top_node_end(&l->node[i].node);
        code = ended > code ? ended : code;
        sem_destroy(&l->node[i].leave);
        sb_top_node_free(&l->node[i].node);
    }
    sb_top_rows_close(&s->rows);
    sb_arena_close(&s->page);
    SB_VEC_FREE(&s->line);
    free(s->node);
    return code;
}

int
sb_top_live(const struct sb_top_live *o)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct live l = {.o = o, .n = o->nodes.n ? o->nodes.n : 1};
    l.node = sb_zeroed_or_die(l.n, sizeof *l.node);
    l.signals = sb_signals_open(SB_SIGNALS_STOP);
    begin(&l);
    while (count(&l, UP) == 0 && count(&l, COMING) > 0)
        poll(NULL, 0, STEP_MS);
    bool ok = true;
    if (count(&l, UP) > 0) {
        ok = sb_top_screen_open(&l.state, &e);
        if (ok) {
            show(&l);
            sb_top_screen_close(&l.state);
        }
    }
    int code = end(&l);
    if (!ok)
        code = sb_cli_fail(&e);
    close(l.signals);
    free(l.node);
    return code;
}
