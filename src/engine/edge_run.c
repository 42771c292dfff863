/*
 *     edge:   lengths of ten numbers, 3 bits each, and whether the sender is another | [step of it] | number number ...
 *
 * Most numbers are none or a byte, and where each lies follows from the lengths alone: so they are taken apart
 * without a branch.
 */
#include "engine/edge_run.h"
#include "base/bytes.h"
#include "base/err.h"

enum { FIELDS = 10, ANOTHER = 1 << 30, SLACK = 8 /* bytes that are read with a number, beyond its end */ };

static const uint8_t length_of[8] = {0, 1, 2, 3, 4, 5, 6, 8};
static const uint64_t mask_of[8] = {0, 0xff, 0xffff, 0xffffff, UINT32_MAX, UINT64_C(0xffffffffff), UINT64_C(0xffffffffffff), UINT64_MAX};

static unsigned
code_of(uint64_t v)
{
    unsigned bytes = v ? (71 - (unsigned)__builtin_clzll(v)) / 8 : 0;
    return bytes < 7 ? bytes : 7;
}

static uint8_t *
pack(uint8_t *p, const struct sb_edge *e, uint64_t before)
{
    uint32_t step = e->sender - (uint32_t)(before >> 32), head = step ? ANOTHER : 0;
    const uint64_t field[FIELDS] = {step ? e->receiver : e->receiver - (uint32_t)before,
                                    e->count - 1,
                                    e->max_words,
                                    e->words - e->max_words,
                                    e->ext,
                                    e->count - e->matched,
                                    (uint64_t)e->max_latency,
                                    (uint64_t)e->latency - (uint64_t)e->max_latency,
                                    (uint64_t)e->first,
                                    (uint64_t)e->last - (uint64_t)e->first};
    uint8_t *at = p;
    p += sizeof head;
    memcpy(p, &step, sizeof step);
    p += step ? sizeof step : 0;
    for (unsigned i = 0; i < FIELDS; i++) {
        unsigned code = code_of(field[i]);
        memcpy(p, &field[i], sizeof field[i]);
        p += length_of[code];
        head |= code << 3 * i;
    }
    memcpy(at, &head, sizeof head);
    return p;
}

static const uint8_t *
unpack(const uint8_t *p, struct sb_edge *e)
{
    uint64_t f[FIELDS];
    uint32_t head, step;
    memcpy(&head, p, sizeof head);
    memcpy(&step, p + sizeof head, sizeof step);
    bool another = head & ANOTHER;
    p += sizeof head + (another ? sizeof step : 0);
    for (unsigned i = 0; i < FIELDS; i++, head >>= 3) {
        f[i] = sb_get_le64(p) & mask_of[head & 7];
        p += length_of[head & 7];
    }
    *e = (struct sb_edge){.sender = e->sender + (another ? step : 0),
                          .receiver = (uint32_t)f[0] + (another ? 0 : e->receiver),
                          .count = f[1] + 1,
                          .words = f[3] + f[2],
                          .max_words = f[2],
                          .ext = f[4],
                          .matched = f[1] + 1 - f[5],
                          .latency = (int64_t)(f[7] + f[6]),
                          .max_latency = (int64_t)f[6],
                          .first = (int64_t)f[8],
                          .last = (int64_t)(f[8] + f[9])};
    return p;
}

/* ---- runs ---- */

void
sb_edge_run_put(struct sb_edge_bytes *b, const struct sb_edge *e)
{
    SB_RESERVE(b, SB_EDGE_PACKED + SLACK);
    b->n = (size_t)(pack(b->at + b->n, e, b->n > 0 ? b->before : 0) - b->at);
    b->before = sb_edge_pair(e->sender, e->receiver);
}

void
sb_edge_run_end(struct sb_edge_bytes *b, struct sb_spill *file, struct sb_edge_runs *to)
{
    struct sb_edge_run run = {0};
    if (b->n == 0)
        return;
    if (!sb_spill_write(file, b->at, b->n, &run.at)) {
        run = (struct sb_edge_run){.memory = sb_realloc_or_die(NULL, b->n + SLACK)};
        memcpy(run.memory, b->at, b->n);
    }
    run.end = run.at + b->n;
    *SB_PUSH(to) = run;
    b->n = 0;
}

void
sb_edge_runs_close(struct sb_edge_runs *v)
{
    for (size_t i = 0; i < v->n; i++)
        free(v->at[i].memory);
    SB_VEC_FREE(v);
}

/* ---- reading them ---- */

static void
fill(struct sb_edge_cursor *c, const struct sb_spill *file)
{
    size_t left = (size_t)(c->end - c->p), room = c->room - left, n = c->until - c->at;
    n = n < room ? n : room;
    if (left > 0)
        memmove(c->buf, c->p, left);
    SB_ASSERT(sb_spill_read(file, c->buf + left, n, c->at));
    c->at += n;
    c->p = c->buf;
    c->end = c->buf + left + n;
}

bool
sb_edge_cursor_next(struct sb_edge_cursor *c, const struct sb_spill *file)
{
    if (c->at < c->until && c->end - c->p < SB_EDGE_PACKED)
        fill(c, file);
    if (c->p == c->end)
        return false;
    c->p = unpack(c->p, &c->edge);
    return true;
}

void
sb_edge_cursor_open(struct sb_edge_cursor *c, const struct sb_spill *file, const struct sb_edge_run *run, size_t room)
{
    if (run->memory)
        *c = (struct sb_edge_cursor){.p = run->memory, .end = run->memory + run->end};
    else
        *c = (struct sb_edge_cursor){
            .at = run->at, .until = run->end, .buf = sb_realloc_or_die(NULL, room + SLACK), .room = room};
    SB_ASSERT(sb_edge_cursor_next(c, file));
}

void
sb_edge_cursor_close(struct sb_edge_cursor *c)
{
    free(c->buf);
}
