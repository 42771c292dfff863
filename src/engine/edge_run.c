#include "engine/edge_run.h"
#include "base/err.h"

/* ---- runs ---- */

static void
put(struct sb_edge_runs *v, struct sb_spill *file, const void *notes, size_t n, size_t each)
{
    struct sb_edge_run run = {.each = each};
    if (n == 0)
        return;
    if (!sb_spill_write(file, notes, n * each, &run.at)) {
        run = (struct sb_edge_run){.each = each, .memory = sb_realloc_or_die(NULL, n * each)};
        memcpy(run.memory, notes, n * each);
    }
    run.end = run.at + n * each;
    *SB_PUSH(v) = run;
}

void
sb_edge_runs_put(struct sb_edge_runs *v, struct sb_spill *file, const struct sb_edge_notes *notes)
{
    put(v, file, notes->talks.at, notes->talks.n, sizeof *notes->talks.at);
    put(v, file, notes->edges.at, notes->edges.n, sizeof *notes->edges.at);
}

void
sb_edge_runs_close(struct sb_edge_runs *v)
{
    for (size_t i = 0; i < v->n; i++)
        free(v->at[i].memory);
    SB_VEC_FREE(v);
}

/* ---- reading them ---- */

static uint64_t
pair_at(const uint8_t *p)
{
    uint32_t of[2];
    memcpy(of, p, sizeof of);
    return sb_edge_pair(of[0], of[1]);
}

static bool
fill(struct sb_edge_cursor *c, const struct sb_spill *file)
{
    size_t n = c->until - c->at < c->room ? c->until - c->at : c->room;
    if (n == 0)
        return false;
    SB_ASSERT(sb_spill_read(file, c->buf, n, c->at));
    c->at += n;
    c->p = c->buf;
    c->end = c->buf + n;
    return true;
}

static void
add(struct sb_edge_notes *to, const uint8_t *p, size_t bytes, size_t each)
{
    if (each == sizeof *to->talks.at) {
        SB_RESERVE(&to->talks, bytes / each);
        memcpy(to->talks.at + to->talks.n, p, bytes);
        to->talks.n += bytes / each;
    } else {
        SB_RESERVE(&to->edges, bytes / each);
        memcpy(to->edges.at + to->edges.n, p, bytes);
        to->edges.n += bytes / each;
    }
}

bool
sb_edge_cursor_take(struct sb_edge_cursor *c, const struct sb_spill *file, uint64_t pair, struct sb_edge_notes *to)
{
    while (c->pair < pair) {
        const uint8_t *p = c->p;
        for (p += c->each; p < c->end && pair_at(p) < pair;)
            p += c->each;
        add(to, c->p, (size_t)(p - c->p), c->each);
        c->p = p;
        if (p == c->end && !fill(c, file))
            return false;
        c->pair = pair_at(c->p);
    }
    return true;
}

void
sb_edge_cursor_open(struct sb_edge_cursor *c, const struct sb_spill *file, const struct sb_edge_run *run, size_t room)
{
    room = run->end - run->at < room ? run->end - run->at : room - room % run->each;
    if (run->memory) {
        *c = (struct sb_edge_cursor){.p = run->memory, .end = run->memory + run->end, .each = run->each};
    } else {
        *c = (struct sb_edge_cursor){.at = run->at,
                                     .until = run->end,
                                     .each = run->each,
                                     .room = room,
                                     .buf = sb_realloc_or_die(NULL, room)};
        fill(c, file);
    }
    c->pair = pair_at(c->p);
}

void
sb_edge_cursor_close(struct sb_edge_cursor *c)
{
    free(c->buf);
}
