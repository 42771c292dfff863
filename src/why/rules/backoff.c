#include "why/find/finding.h"

SB_RULE(backoff) = {
    .name = "backoff",
    .looks_for = "processes that ask the same process again and again, with longer and longer sleeps between",
    .erlang =
        "let the process that is asked keep those who wait and answer each when it is its turn ({noreply, "
        "State}, then gen_server:reply/2), or tell them by a message; or sleep for a shorter time at first",
    .elixir =
        "let the process that is asked keep those who wait and answer each when it is its turn ({:noreply, "
        "state}, then GenServer.reply/2), or tell them by a message; or sleep for a shorter time at first",
    .of_requests = true,
    .find = find,
};

enum { FEWEST = 5 /* sleeps that were longer than the one before */ };

struct retries { /* of the processes of a group */
    int64_t processes, times, ns, longest_ns;
    int64_t longer, shorter;          /* sleeps, than the one before them in a row */
    int64_t process, server, most_ns; /* who slept longest, and whom it asked */
    int32_t function;
    struct sb_ranges sleeps;
};

/* Of one process: the answer, and the sleep after it. */
struct row {
    int32_t server; /* that answered last; 0: something else came after that */
    const struct sb_step *sleep;
    int64_t before_ns; /* the sleep before, in the same row of questions; 0: there is none */
};

static void
add_sleep(struct retries *r, struct row *row)
{
    int64_t from = row->sleep->start + row->sleep->dur, ns = row->sleep->wait_ns;
    r->times++;
    r->ns += ns;
    r->longest_ns = ns > r->longest_ns ? ns : r->longest_ns;
    r->longer += row->before_ns > 0 && 2 * ns >= 3 * row->before_ns;
    r->shorter += 10 * ns < 9 * row->before_ns;
    r->function = row->sleep->out;
    sb_ranges_add(&r->sleeps, from, from + ns);
    row->before_ns = ns;
}

static void
read_process(const struct sb_why *w, int64_t id, struct retries *r)
{
    struct row row = {0};
    int64_t ns = r->ns;
    int32_t server = 0;
    SB_EACH_STEP (&w->x, id, s) {
        if (s->wait == SB_WAIT_NONE)
            continue;
        if (s->wait == SB_WAIT_ASKED && row.sleep && s->waker == row.server) {
            add_sleep(r, &row);
            server = s->waker;
        }
        bool sleeps = s->wait == SB_WAIT_TIMER && !s->interrupted && row.server > 0 && !row.sleep &&
                      sb_is_sleep(sb_evidence_text(&w->x, s->out));
        if (sleeps)
            row.sleep = s;
        else
            row = (struct row){s->wait == SB_WAIT_ASKED ? s->waker : 0, NULL,
                               row.sleep && s->waker == row.server ? row.before_ns : 0};
    }
    r->processes += r->ns > ns;
    if (r->ns - ns > r->most_ns) {
        r->most_ns = r->ns - ns;
        r->process = id;
        r->server = server;
    }
}

static void
put(struct sb_why *w, const struct retries *r)
{
    int64_t idle = sb_ranges_within(&r->sleeps, &w->x.level, SB_LEVEL_IDLE);
    struct sb_finding f = {
        .process = r->process,
        .with = r->server,
        .gain = {0, idle, idle},
        .confidence = "medium",
        .evidence =
            "SELECT who(process), function, count, total_ns, max_ns FROM wait WHERE process IN (SELECT p.id "
            "FROM process p JOIN process q ON p.group_id = q.group_id WHERE q.id = {process}) ORDER BY "
            "total_ns DESC",
    };
    sb_why_put(
        w, f,
        "%s%s asked %s again after a sleep in %s, %s times, %s each on average; sleeps in a row grew, up to "
        "%s; nothing was at work for %s of that",
        sb_why_who(w, r->process),
        r->processes > 1
            ? sb_words(w->arena, " and %s started like it", sb_words_count(w->arena, r->processes - 1))
            : "",
        sb_why_who(w, r->server), sb_why_function(w, r->function), sb_words_count(w->arena, r->times),
        sb_words_ns(w->arena, r->ns / r->times), sb_words_ns(w->arena, r->longest_ns),
        sb_words_ns(w->arena, idle));
}

static void
find(struct sb_why *w)
{
    struct retries *of = sb_zeroed_or_die((size_t)w->x.n_actors + 1, sizeof *of);
    int64_t last = 0;
    SB_EACH_PRESENT (&w->x, id) {
        int64_t group = w->x.actor[id].group; /* of a file: it may be any number */
        if (w->x.actor[id].timeouts > 0 && group > 0 && group < w->x.n_actors) {
            read_process(w, id, &of[group]);
            last = group > last ? group : last;
        }
    }
    for (int64_t g = 1; g <= last; g++) {
        sb_ranges_unite(&of[g].sleeps);
        if (of[g].longer >= FEWEST && of[g].longer >= 10 * of[g].shorter)
            put(w, &of[g]);
        SB_VEC_FREE(&of[g].sleeps);
    }
    free(of);
}
