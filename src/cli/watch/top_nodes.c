#include "cli/watch/top_nodes.h"
#include "base/signals.h"
#include "cli/record/recording.h"
#include <errno.h>

static void *
stay_attached(void *ctx)
{
    struct sb_top_node *n = ctx;
    n->ok = sb_watch_node(&n->attach, &n->at, &n->arena, &n->result, &n->err);
    if (n->ended)
        n->ended(n);
    return NULL;
}

void
sb_top_node_begin(struct sb_top_node *n, const struct sb_top_target *t, size_t i, uint64_t buffer)
{
    n->how.what = (struct sb_recording){.classes = "procs,running,messages,gc", .buffer = buffer};
    n->attach.how = &n->how;
    n->attach.target = t->n ? t->target[i] : NULL;
    n->attach.via = t->via;
    n->attach.force = t->force;
    n->err.at_byte = SB_NO_BYTE;
    sb_signals_block(SB_SIGNALS_STOP_AND_CHILD); /* in all threads: descriptors tell of them */
    errno = pthread_create(&n->thread, NULL, stay_attached, n);
    n->started = errno == 0;
    if (!n->started) {
        sb_err_errno(&n->err, "start a thread");
        if (n->ended)
            n->ended(n);
    }
}

int
sb_top_node_end(struct sb_top_node *n)
{
    if (n->started)
        pthread_join(n->thread, NULL);
    sb_recording_print_left(n->result.node, n->result.left.at, n->result.left.n);
    return !n->ok ? sb_cli_fail(&n->err) : n->result.left.n > 0;
}

void
sb_top_node_free(struct sb_top_node *n)
{
    SB_VEC_FREE(&n->result.left);
    sb_arena_close(&n->arena);
}
