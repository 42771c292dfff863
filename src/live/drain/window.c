#include "live/drain/window.h"

void
sb_window_init(struct sb_window *w, const struct sb_layout *l, int level)
{
    *w = (struct sb_window){.layout = l, .from_ns = l->start_ns};
    w->open = sb_zeroed_or_die(l->n_rings, sizeof *w->open);
    w->copy = sb_realloc_or_die(NULL, l->largest);
    sb_sbt_packer_init(&w->packer, level);
}

void
sb_window_close(struct sb_window *w)
{
    for (size_t i = w->first; i < w->block.n; i++)
        free(w->block.at[i].packed);
    SB_VEC_FREE(&w->block);
    SB_VEC_FREE(&w->raw);
    free(w->open);
    free(w->copy);
    sb_sbt_packer_close(&w->packer);
    sb_known_close(&w->known);
}

/* ---- records before the window */

/* Applies the records before the window, without the first `skip`. Returns the number of all records before it. */
static uint32_t
apply(struct sb_window *w, const uint8_t *raw, size_t n, uint32_t skip)
{
    struct sb_sbt_prefix prefix;
    struct sb_wire_state s;
    struct sb_wire_record r;
    uint32_t i = 0;
    if (n < sizeof prefix)
        return 0;
    memcpy(&prefix, raw, sizeof prefix);
    sb_wire_begin(&s, prefix.base_ns);
    for (const uint8_t *p = raw + sizeof prefix, *end = raw + n; p < end; i++) {
        p = sb_wire_read(&s, p, end, &r);
        if (!p || r.ev.at_ns >= w->from_ns)
            break;
        if (i >= skip)
            sb_known_apply(&w->known, &r);
    }
    return i > skip ? i : skip;
}

static bool
unpack(struct sb_window *w, const struct sb_window_block *b)
{
    w->raw.n = 0;
    SB_RESERVE(&w->raw, b->head.raw);
    w->raw.n = b->head.raw;
    return sb_sbt_unpack_body(w->raw.at, b->packed + sizeof b->head, &b->head);
}

static void
let_go(struct sb_window *w, struct sb_window_block *b)
{
    w->bytes -= b->bytes;
    free(b->packed);
    b->packed = NULL;
}

/* A block of losses alone has no records; it ends with its last_ns. */
static void
advance_block(struct sb_window *w, struct sb_window_block *b)
{
    bool whole = unpack(w, b);
    b->skip = whole ? apply(w, w->raw.at, w->raw.n, b->skip) : b->head.events;
    if (b->skip >= b->head.events && b->head.last_ns < w->from_ns)
        let_go(w, b);
}

/* Copies what is published of a chunk, as the content of a block. */
static const struct sb_chunk *
copy_chunk(struct sb_window *w, unsigned i, uint64_t number, uint32_t *events)
{
    uint64_t published = sb_layout_published(w->layout, i, number);
    uint32_t bytes = (uint32_t)published;
    *events = (uint32_t)(published >> 32);
    if (!sb_layout_copy_chunk(w->layout, i, number, published, w->copy))
        return NULL;
    w->raw.n = 0;
    SB_RESERVE(&w->raw, SB_CHUNK_PREFIX + bytes);
    w->raw.n = SB_CHUNK_PREFIX + bytes;
    memcpy(w->raw.at, &w->copy->first_ns, w->raw.n);
    return w->copy;
}

/* A thread without events leaves its chunk open, with records of any age. */
static void
advance_open(struct sb_window *w, unsigned i)
{
    const struct sb_ring *ring = sb_layout_ring(w->layout, i);
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    uint32_t events, skip = w->open[i].number == tail ? w->open[i].skip : 0;
    if (tail >= atomic_load_explicit(&ring->head, memory_order_acquire))
        return;
    const struct sb_chunk *c = copy_chunk(w, i, tail, &events);
    if (c && c->first_ns < w->from_ns && events > skip)
        w->open[i] = (struct sb_window_open){tail, apply(w, w->raw.at, w->raw.n, skip)};
}

static void
close_ranks(struct sb_window *w)
{
    while (w->first < w->block.n && !w->block.at[w->first].packed)
        w->first++;
    if (w->first < 64 || w->first < w->block.n / 2)
        return;
    w->block.n -= w->first;
    memmove(w->block.at, w->block.at + w->first, w->block.n * sizeof *w->block.at);
    w->first = 0;
}

void
sb_window_advance(struct sb_window *w, int64_t from_ns)
{
    if (from_ns <= w->from_ns)
        return;
    w->from_ns = from_ns;
    for (size_t i = w->first; i < w->block.n; i++)
        if (w->block.at[i].packed && w->block.at[i].head.first_ns < from_ns)
            advance_block(w, &w->block.at[i]);
    for (unsigned i = 0; i < w->layout->n_rings; i++)
        advance_open(w, i);
    sb_known_settle(&w->known);
    close_ranks(w);
}

int64_t
sb_window_from(const struct sb_window *w, uint64_t most_bytes)
{
    int64_t from = w->from_ns;
    uint64_t bytes = w->bytes;
    for (size_t i = w->first; i < w->block.n && bytes > most_bytes; i++) {
        const struct sb_window_block *b = &w->block.at[i];
        bytes -= b->packed ? b->bytes : 0;
        if (b->packed && b->head.last_ns >= from)
            from = b->head.last_ns + 1;
    }
    return from;
}

void
sb_window_put(struct sb_window *w, const struct sb_sbt_block *head, const void *raw, uint64_t cpu_ns)
{
    struct sb_window_block b = {.head = *head, .cpu_ns = cpu_ns};
    bool of_node = head->ring < w->layout->n_rings;
    b.bytes = sb_sbt_pack(&w->packer, &b.head, raw);
    b.packed = sb_realloc_or_die(NULL, b.bytes);
    memcpy(b.packed, w->packer.bytes.at, b.bytes);
    b.skip = of_node && w->open[head->ring].number == head->number ? w->open[head->ring].skip : 0;
    w->bytes += b.bytes;
    *SB_PUSH(&w->block) = b;
    if (head->first_ns < w->from_ns) {
        advance_block(w, &w->block.at[w->block.n - 1]);
        sb_known_settle(&w->known);
    }
}

/* ---- pieces of a trace */

struct cut {
    struct sb_window_piece *out;
    struct sb_wire_state s;
    bool copies; /* else the records are only counted */
};

static void
cut_record(struct cut *c, const struct sb_wire_record *r)
{
    struct sb_window_piece *out = c->out;
    if (out->head.events++ == 0) {
        out->head.first_ns = r->ev.at_ns;
        sb_wire_begin(&c->s, r->ev.at_ns);
    }
    out->head.last_ns = r->ev.at_ns;
    out->kinds[r->ev.kind]++;
    if (!c->copies)
        return;
    SB_RESERVE(&out->raw, SB_WIRE_RECORD_MAX);
    uint8_t *p = out->raw.at + out->raw.n;
    out->raw.n = (size_t)(sb_wire_write(&c->s, p, r) - out->raw.at);
}

/* The losses in front of a chunk are of the window, if its first record is. */
static void
cut_losses(const struct sb_window *w, struct sb_sbt_prefix *prefix, bool within, struct sb_window_piece *out)
{
    if (!within || prefix->gap_from_ns == SB_AT_UNKNOWN) {
        memset(prefix->dropped, 0, sizeof prefix->dropped);
        prefix->gap_from_ns = SB_AT_UNKNOWN;
        return;
    }
    prefix->gap_from_ns = prefix->gap_from_ns > w->from_ns ? prefix->gap_from_ns : w->from_ns;
    out->head.first_ns = prefix->gap_from_ns;
    for (unsigned i = 0; i < SB_CLASSES_MAX; i++)
        out->dropped[i] += prefix->dropped[i];
}

/* Takes the records of w->raw from number `skip` on, up to until_ns. */
static void
cut(struct sb_window *w, uint32_t skip, int64_t until_ns, struct cut *c)
{
    struct sb_wire_state s;
    struct sb_wire_record r;
    struct sb_sbt_prefix prefix;
    struct sb_window_piece *out = c->out;
    uint32_t i = 0;
    memcpy(&prefix, w->raw.at, sizeof prefix);
    SB_RESERVE(&out->raw, sizeof prefix);
    out->raw.n = sizeof prefix;
    sb_wire_begin(&s, prefix.base_ns);
    for (const uint8_t *p = w->raw.at + sizeof prefix, *end = w->raw.at + w->raw.n; p < end; i++) {
        p = sb_wire_read(&s, p, end, &r);
        if (!p || r.ev.at_ns > until_ns)
            break;
        if (i >= skip)
            cut_record(c, &r);
    }
    int64_t base_ns = out->head.events ? out->head.first_ns : prefix.base_ns;
    out->head.first_ns = base_ns;
    out->head.last_ns = out->head.events ? out->head.last_ns : base_ns;
    cut_losses(w, &prefix, skip == 0 && base_ns >= w->from_ns && base_ns <= until_ns, out);
    prefix.base_ns = base_ns;
    if (!out->head.events && prefix.gap_from_ns == SB_AT_UNKNOWN)
        out->raw.n = 0;
    else
        memcpy(out->raw.at, &prefix, sizeof prefix);
    out->head.raw = (uint32_t)out->raw.n;
}

static void
begin_piece(struct sb_window_piece *out, const struct sb_sbt_block *head)
{
    out->head = *head;
    out->head.events = 0;
    out->raw.n = out->packed_bytes = 0;
    out->packed = NULL;
}

bool
sb_window_piece(struct sb_window *w, size_t i, int64_t until_ns, struct sb_window_piece *out)
{
    const struct sb_window_block *b = &w->block.at[i];
    begin_piece(out, &b->head);
    if (!b->packed || b->head.raw < sizeof(struct sb_sbt_prefix) || !unpack(w, b))
        return false;
    /* the readings of threads are a little later than the events */
    int64_t end_ns = b->head.ring < w->layout->n_rings ? until_ns : INT64_MAX;
    bool whole = b->skip == 0 && b->head.first_ns >= w->from_ns && b->head.last_ns <= end_ns;
    struct cut c = {.out = out, .copies = !whole};
    cut(w, b->skip, end_ns, &c);
    if (whole) {
        out->head = b->head;
        out->packed = b->packed;
        out->packed_bytes = b->bytes;
    }
    return out->raw.n > 0;
}

bool
sb_window_open_piece(struct sb_window *w, unsigned i, uint64_t number, int64_t until_ns,
                     struct sb_window_piece *out)
{
    uint32_t events, skip = w->open[i].number == number ? w->open[i].skip : 0;
    const struct sb_chunk *c = copy_chunk(w, i, number, &events);
    struct cut by = {.out = out, .copies = true};
    if (!c)
        return false;
    begin_piece(out, &(struct sb_sbt_block){
                         .type = SB_SBT_EVENTS, .lane = c->lane, .ring = c->ring, .number = c->number});
    cut(w, skip, until_ns, &by);
    return out->raw.n > 0;
}
