#include "live/watch/beside.h"
#include "base/signals.h"
#include "base/temporary.h"
#include "live/attach/snapshot.h"
#include <unistd.h>

enum { MOST_EVENTS = 10 << 20 };

bool
sb_watch_node(const struct sb_attach_options *o, struct sb_rings_of *at, struct sb_arena *a,
              struct sb_attach_result *r, struct sb_err *e)
{
    uint32_t os_pid;
    *at = (struct sb_rings_of){.rings = NULL};
    if (!o->target || o->via || o->force || !sb_rings_of_target(at, &os_pid, o->target, a))
        return sb_attach(o, a, r, e);
    struct sb_attached of = {.name = sb_str_of(o->target), .rings = at->rings, .os_pid = os_pid};
    of.signals = sb_signals_open(SB_SIGNALS_STOP);
    if (of.signals < 0)
        return sb_err_errno(e, "watch for signals");
    bool ok = o->watch(o->ctx, &of, e);
    close(of.signals);
    return ok;
}

static void
read_trace(struct sb_watch *w, const char *trace)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_source_options o = {.known_only = true};
    struct sb_source *s;
    SB_SCOPED struct sb_events events = {0};
    struct sb_tally known;
    uint64_t n = 0;
    if (!sb_source_open(&s, &trace, 1, &o, &e))
        return;
    sb_tally_init(&known, sb_source_names(s), INT64_MAX);
    for (struct sb_block b; n < MOST_EVENTS && sb_source_next(s, &b, &e); n += events.n) {
        events.n = 0;
        sb_source_decode(s, &b, &events);
        for (size_t i = 0; i < events.n; i++)
            sb_tally_add(&known, 0, &events.at[i]);
    }
    sb_watch_learn(w, &known);
    sb_tally_close(&known);
    sb_source_close(s);
}

static void
ask_recorder(struct sb_watch *w, uint32_t os_pid, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_str path;
    const char *folder = sb_temporary_folder("strobe-top", "the names of processes", a, &e);
    if (!folder)
        return;
    struct sb_snapshot s = {
        .os_pid = os_pid, .why = "strobe top", .path = sb_arena_printf(a, "%s/known.sbt", folder).p};
    if (sb_snapshot_ask(&s, a, &path, &e)) /* the answer may be another user's text */
        read_trace(w, s.path);
    sb_temporary_remove(folder);
}

void
sb_beside_learn(struct sb_watch *w, const struct sb_attached *of, const struct sb_rings_of *at,
                struct sb_arena *a)
{
    if (of->node)
        return;
    if (at->flight)
        ask_recorder(w, of->os_pid, a);
    else if (at->trace)
        read_trace(w, at->trace);
}
