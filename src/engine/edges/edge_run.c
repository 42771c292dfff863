#include "engine/edges/edge_run.h"
#include "base/err.h"

/* ---- packed messages: each number takes as many bytes as the largest one in the run needs ---- */

enum { SENDER, RECEIVER, AT, TOOK, WORDS, EXT };

static inline void
numbers_of(const struct sb_talk *t, int64_t since, uint64_t v[SB_TALK_NUMBERS])
{
    v[SENDER] = t->sender;
    v[RECEIVER] = t->receiver;
    v[AT] = (uint64_t)t->at - (uint64_t)since;
    v[TOOK] = (uint32_t)(t->took + 1); /* 0: not received */
    v[WORDS] = t->words;
    v[EXT] = t->ext;
}

static inline struct sb_talk
talk_of(const uint64_t v[SB_TALK_NUMBERS], int64_t since)
{
    return (struct sb_talk){.sender = (uint32_t)v[SENDER],
                            .receiver = (uint32_t)v[RECEIVER],
                            .at = (int64_t)((uint64_t)since + v[AT]),
                            .took = (uint32_t)v[TOOK] - 1,
                            .words = (uint16_t)v[WORDS],
                            .ext = (uint16_t)v[EXT]};
}

static uint64_t
mask_of(const struct sb_edge_run *run, unsigned number)
{
    unsigned bytes = run->place[number + 1] - run->place[number];
    return bytes ? UINT64_MAX >> (64 - 8 * bytes) : 0;
}

static inline uint64_t
number_at(const uint8_t *p, uint64_t mask)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v & mask;
}

static uint64_t
pair_at(const struct sb_edge_run *run, const uint8_t *p)
{
    uint64_t sender = number_at(p + run->place[SENDER], mask_of(run, SENDER));
    uint64_t receiver = number_at(p + run->place[RECEIVER], mask_of(run, RECEIVER));
    return sb_edge_pair((uint32_t)sender, (uint32_t)receiver);
}

/* ---- runs ---- */

static void
choose_places(struct sb_edge_run *run, const struct sb_talk *at, size_t n)
{
    struct sb_talk widest = {.at = at->at};
    uint64_t v[SB_TALK_NUMBERS];
    uint32_t took = 0;
    run->since = at->at;
    for (const struct sb_talk *t = at; t < at + n; t++) {
        widest.sender |= t->sender;
        widest.receiver |= t->receiver;
        took |= t->took + 1;
        widest.words |= t->words;
        widest.ext |= t->ext;
        widest.at = t->at > widest.at ? t->at : widest.at;
        run->since = t->at < run->since ? t->at : run->since;
    }
    widest.took = took - 1;
    numbers_of(&widest, run->since, v);
    for (unsigned k = 0; k < SB_TALK_NUMBERS; k++)
        run->place[k + 1] = (uint8_t)(run->place[k] + (v[k] ? 8 - __builtin_clzll(v[k]) / 8 : 0));
    run->each = run->place[SB_TALK_NUMBERS];
}

/* Packs messages in order: each write spills some bytes into the place of the next message. */
static void
lay_out(const struct sb_edge_run *run, const struct sb_talk *at, size_t n, uint8_t *to)
{
    const struct sb_edge_run like = *run; /* a copy that cannot alias `to` */
    uint64_t v[SB_TALK_NUMBERS];
    for (size_t i = 0; i < n; i++, to += like.each) {
        numbers_of(&at[i], like.since, v);
        for (unsigned k = 0; k < SB_TALK_NUMBERS; k++)
            memcpy(to + like.place[k], &v[k], sizeof v[k]);
    }
}

/* Moves the run from memory to the file, if the file has room. */
static void
put(struct sb_edge_runs *v, struct sb_spill *file, struct sb_edge_run *run, size_t n)
{
    if (sb_spill_write(file, run->memory, n * run->each, &run->at)) {
        free(run->memory);
        run->memory = NULL;
    } else
        run->at = 0;
    run->end = run->at + n * run->each;
    *SB_PUSH(v) = *run;
}

static uint8_t *
memory_for(size_t bytes)
{
    /* numbers are read and written eight bytes at a time, which may reach past the last one */
    return sb_realloc_or_die(NULL, bytes + sizeof(uint64_t));
}

void
sb_edge_runs_put(struct sb_edge_runs *v, struct sb_spill *file, const struct sb_edge_notes *notes)
{
    size_t talks = notes->talks.n, edges = notes->edges.n;
    if (talks > 0) {
        struct sb_edge_run run = {0};
        choose_places(&run, notes->talks.at, talks);
        run.memory = memory_for(talks * run.each);
        lay_out(&run, notes->talks.at, talks, run.memory);
        put(v, file, &run, talks);
    }
    if (edges > 0) {
        struct sb_edge_run run = {.of_edges = true, .each = sizeof *notes->edges.at};
        run.place[RECEIVER] = offsetof(struct sb_edge, receiver);
        run.place[RECEIVER + 1] = offsetof(struct sb_edge, count);
        run.memory = memory_for(edges * run.each);
        memcpy(run.memory, notes->edges.at, edges * run.each);
        put(v, file, &run, edges);
    }
}

void
sb_edge_runs_close(struct sb_edge_runs *v)
{
    for (size_t i = 0; i < v->n; i++)
        free(v->at[i].memory);
    SB_VEC_FREE(v);
}

/* ---- reading runs ---- */

static bool
fill(struct sb_edge_cursor *c, const struct sb_spill *file)
{
    size_t left = c->run->memory ? 0 : c->run->end - c->at, n = left < c->room ? left : c->room;
    if (n == 0)
        return false;
    SB_ASSERT(sb_spill_read(file, c->buf, n, c->at));
    c->at += n;
    c->p = c->buf;
    c->end = c->buf + n;
    return true;
}

static void
add_talks(struct sb_edge_cursor *c, uint64_t pair, struct sb_edge_notes *to)
{
    const struct sb_edge_run run = *c->run;
    uint64_t v[SB_TALK_NUMBERS], mask[SB_TALK_NUMBERS];
    for (unsigned k = 0; k < SB_TALK_NUMBERS; k++)
        mask[k] = mask_of(&run, k);
    SB_RESERVE(&to->talks, (size_t)(c->end - c->p) / run.each);
    struct sb_talk *t = to->talks.at + to->talks.n;
    for (; c->p < c->end; c->p += run.each, t++) {
        for (unsigned k = 0; k < SB_TALK_NUMBERS; k++)
            v[k] = number_at(c->p + run.place[k], mask[k]);
        *t = talk_of(v, run.since);
        if (sb_edge_pair(t->sender, t->receiver) >= pair)
            break;
    }
    to->talks.n = (size_t)(t - to->talks.at);
}

static void
add_edges(struct sb_edge_cursor *c, uint64_t pair, struct sb_edge_notes *to)
{
    for (; c->p < c->end && pair_at(c->run, c->p) < pair; c->p += c->run->each)
        memcpy(SB_PUSH(&to->edges), c->p, c->run->each);
}

bool
sb_edge_cursor_take(struct sb_edge_cursor *c, const struct sb_spill *file, uint64_t pair,
                    struct sb_edge_notes *to)
{
    while (c->pair < pair) {
        if (c->run->of_edges)
            add_edges(c, pair, to);
        else
            add_talks(c, pair, to);
        if (c->p == c->end && !fill(c, file))
            return false;
        c->pair = pair_at(c->run, c->p);
    }
    return true;
}

void
sb_edge_cursor_open(struct sb_edge_cursor *c, const struct sb_spill *file, const struct sb_edge_run *run,
                    size_t room)
{
    room = run->end - run->at < room ? run->end - run->at : room - room % run->each;
    *c = (struct sb_edge_cursor){.run = run};
    if (run->memory) {
        c->p = run->memory;
        c->end = run->memory + run->end;
    } else {
        c->at = run->at;
        c->room = room;
        c->buf = memory_for(room);
        fill(c, file);
    }
    c->pair = pair_at(run, c->p);
}

void
sb_edge_cursor_close(struct sb_edge_cursor *c)
{
    free(c->buf);
}
