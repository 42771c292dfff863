#include "why/find/finding.h"
#include "why/run/dealings.h"

SB_RULE(logging) = {
    .name = "logging",
    .looks_for = "processes that send many events to the logger, each of which is formatted and written",
    .erlang = "raise the level of the logger, or log less in loops",
    .elixir = "set a higher level in config :logger, or log less in loops",
    .of_work = true,
    .of_requests = true,
    .find = find,
};

static const struct sb_cure of_waits = {
    .where = "those who log wait for the logger longer than it works",
    .erlang = "let the handler do nothing that waits, such as a write to a slow device or a socket: hand the "
              "lines, many at once, to a process of its own; log less in a request; raise sync_mode_qlen of "
              "the handler, so that short bursts do not wait",
    .elixir = "let the handler or backend do nothing that waits, such as a write to a slow device or a "
              "socket: hand the lines, many at once, to a process of its own; log less in a request; raise "
              "sync_threshold in config :logger, or sync_mode_qlen of the handler, so that short bursts do "
              "not wait",
};

enum { FEWEST = 500 };

static const char *const modules[] = {
    "logger", "io_lib", "unicode:", "string:", "calendar:", "'Elixir.Logger", "'Elixir.Inspect"};

struct logged {
    int64_t events, processes, most, most_events;
    int64_t work_ns, share_ns; /* in functions that format and log */
    struct sb_dealings all;    /* with the slices that sent the events: formatting is a part of them */
    struct sb_ranges waits;    /* of others for the logger, and of the logger itself in that time */
    struct sb_ranges held;
    int64_t clients;
};

static bool
is_logging(struct sb_str mfa)
{
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (sb_str_starts(mfa, sb_str_of(modules[i])))
            return true;
    return false;
}

static void
add_work(const struct sb_why *w, int64_t id, const bool *is_logger, struct logged *l)
{
    const struct sb_actor *a = &w->x.actor[id];
    bool *logs = SB_NEW_N(w->arena, bool, a->n + 1);
    for (uint32_t i = 0; i < a->n; i++) {
        const struct sb_step *s = &w->x.step[a->first + i];
        logs[i] = is_logger[id] || is_logging(sb_evidence_text(&w->x, s->out));
        l->work_ns += logs[i] ? s->dur : 0;
        l->share_ns +=
            logs[i] ? sb_level_within(&w->x.level, SB_LEVEL_SHARE, s->start, s->start + s->dur) : 0;
    }
    sb_dealings_add(&l->all, &w->x, id, is_logger, logs);
}

/* What other services send to the logger are replies: those of the output device, to each line that it wrote. */
static int64_t
events_of(const struct sb_why *w, int64_t id)
{
    int64_t n = 0;
    if (w->x.actor[id].service != SB_SERVICE_NONE)
        return 0;
    for (uint32_t i = w->x.outbox[id]; i < w->x.outbox[id + 1]; i++)
        n += w->x.actor[w->x.letter[w->x.by_sender[i]].receiver].service == SB_SERVICE_LOG;
    return n;
}

static void
add_waits(const struct sb_why *w, int64_t id, struct logged *l)
{
    sb_awaits_of(&w->awaits, id, &l->waits);
    sb_held_of(&w->x, &w->awaits, id, &l->held);
    l->clients += w->awaits.clients[id];
}

/* "; 468 processes waited for the logger: somebody did for 3.76 s, ..."; empty: for less than the work took. */
static const char *
waited(const struct sb_why *w, struct logged *l)
{
    int64_t ns = sb_ranges_ns(&l->waits);
    sb_ranges_cut(&l->held, &l->waits);
    return ns <= l->all.work_ns
               ? ""
               : sb_words(w->arena,
                          "; %s %s waited for the logger: somebody did for %s, and it waited itself for %s "
                          "of that",
                          sb_words_count(w->arena, l->clients), l->clients == 1 ? "process" : "processes",
                          sb_words_ns(w->arena, ns), sb_words_ns(w->arena, sb_ranges_ns(&l->held)));
}

static void
put(struct sb_why *w, struct logged *l)
{
    const char *waits = waited(w, l);
    int64_t ns = *waits ? sb_ranges_ns(&l->waits) : 0,
            free = *waits ? sb_ranges_within(&l->waits, &w->x.level, SB_LEVEL_QUIET) : 0,
            work = (l->share_ns + l->all.share_ns) / 2;
    struct sb_finding f = {
        .subject = "logger",
        .gain = {0, free > work ? free : work, ns > l->all.work_ns ? ns : l->all.work_ns},
        .confidence = "medium",
        .cure = *waits ? &of_waits : NULL,
        .evidence = "SELECT who(sender), who(receiver), count FROM message_edge WHERE who(receiver) LIKE "
                    "'logger%' OR who(receiver) LIKE '%Logger%' ORDER BY count DESC LIMIT 10",
    };
    const char *most =
        10 * l->most_events < l->events ? "" : sb_words(w->arena, ", %s most", sb_why_who(w, l->most));
    sb_why_put(w, f,
               "%s %s sent %s events to the logger%s; formatting and writing them took %s to %s of work%s",
               sb_words_count(w->arena, l->processes), l->processes == 1 ? "process" : "processes",
               sb_words_count(w->arena, l->events), most, sb_words_ns(w->arena, l->work_ns),
               sb_words_ns(w->arena, l->all.work_ns), waits);
}

static void
find(struct sb_why *w)
{
    struct logged l = {0};
    bool *is_logger = SB_NEW_N(w->arena, bool, w->x.n_actors + 1);
    SB_EACH_PRESENT (&w->x, id) {
        is_logger[id] = w->x.actor[id].service == SB_SERVICE_LOG;
        if (is_logger[id])
            add_waits(w, id, &l);
    }
    SB_EACH_PRESENT (&w->x, id) {
        int64_t n = events_of(w, id);
        if (is_logger[id] || n > 0)
            add_work(w, id, is_logger, &l);
        if (n == 0)
            continue;
        l.events += n;
        l.processes++;
        if (n > l.most_events)
            l.most = id, l.most_events = n;
    }
    if (l.events >= sb_why_fewest(w, FEWEST)) {
        sb_ranges_unite(&l.waits);
        sb_ranges_unite(&l.held);
        put(w, &l);
    }
    SB_VEC_FREE(&l.waits);
    SB_VEC_FREE(&l.held);
}
