#include "trace/sbt/ring_read.h"
#include "trace/sbt/sbt_read.h"

struct place {      /* in one ring */
    uint64_t chunk; /* the number of the chunk that is read */
    size_t events;  /* read from it, losses included */
};

struct sb_ring_reader {
    const struct sb_layout *layout;
    struct sb_source source; /* only its names, arena and facts are used */
    struct sb_sbt_reader sbt;
    struct place *place;
    struct sb_chunk *copy; /* of the chunk that is read, with zeros after it */
    struct sb_events events;
    bool beside;
    _Atomic bool copied;
    uint64_t overwritten; /* events, at least */
};

static void
skip_texts(struct sb_sbt_reader *r)
{
    for (unsigned k = 0; k < SB_KINDS_MAX; k++)
        for (unsigned i = 0; i < r->row[k].n_slots; i++)
            if (r->row[k].slot[i].type == SB_SLOT_TEXT)
                r->row[k].slot[i].size = 0;
}

struct sb_ring_reader *
sb_ring_reader_open(const struct sb_layout *l, bool beside)
{
    struct sb_ring_reader *r =
        SB_HEAP(struct sb_ring_reader, .layout = l, .source = {.quiet = true}, .beside = beside);
    pthread_mutex_init(&r->source.lock, NULL);
    r->source.names = sb_names_open();
    r->sbt.source = &r->source;
    r->sbt.until_ns = INT64_MAX;
    *SB_PUSH(&r->sbt.atom) = *SB_PUSH(&r->sbt.mfa) = 0; /* id 0 is none */
    *SB_PUSH(&r->sbt.node) = 0;                         /* node 0 is the traced one */
    sb_sbt_read_rows(&r->sbt, sb_str_of(sb_sbt_kinds()));
    skip_texts(&r->sbt);
    r->place = sb_realloc_or_die(NULL, sizeof *r->place * l->n_rings);
    for (unsigned i = 0; i < l->n_rings; i++) {
        uint64_t head = atomic_load(&sb_layout_ring(l, i)->head);
        r->place[i].events = 0;
        r->place[i].chunk = !beside ? atomic_load(&sb_layout_ring(l, i)->tail) : head > 0 ? head - 1 : 0;
    }
    r->copy = sb_realloc_or_die(NULL, (size_t)l->largest + SB_SBT_SLACK);
    return r;
}

void
sb_ring_reader_close(struct sb_ring_reader *r)
{
    SB_VEC_FREE(&r->events);
    SB_VEC_FREE(&r->sbt.atom);
    SB_VEC_FREE(&r->sbt.mfa);
    SB_VEC_FREE(&r->sbt.node);
    SB_VEC_FREE(&r->sbt.nodes);
    SB_VEC_FREE(&r->source.info.notes);
    sb_names_close(r->source.names);
    pthread_mutex_destroy(&r->source.lock);
    sb_arena_close(&r->source.arena);
    free(r->place);
    free(r->copy);
    free(r);
}

struct sb_names *
sb_ring_reader_names(const struct sb_ring_reader *r)
{
    return r->source.names;
}

/* Reads what the node has added to the dictionary. A name is there before an event that refers to it. */
static bool
read_dictionary(struct sb_ring_reader *r, struct sb_err *e)
{
    uint64_t used = atomic_load_explicit(&r->layout->rings->dict_used, memory_order_acquire);
    uint64_t had = r->sbt.dict_bytes;
    if (used <= had)
        return true;
    if (used > r->layout->dict_bytes)
        return sb_err_set(e, SB_ERR_INPUT, "the rings are damaged");
    uint8_t *names = sb_layout_copy_names(r->layout, had, used - had);
    bool ok = sb_sbt_read_dict(&r->sbt, names, used - had);
    free(names);
    if (!ok)
        return sb_err_set(e, SB_ERR_INPUT, "the rings are damaged");
    r->sbt.dict_bytes = used;
    sb_sbt_number_nodes(&r->sbt);
    return true;
}

const struct sb_source_info *
sb_ring_reader_info(struct sb_ring_reader *r, struct sb_err *e)
{
    return read_dictionary(r, e) ? &r->source.info : NULL;
}

/* Decodes the whole records of a chunk that the node may still be writing to. */
static bool
decode(struct sb_ring_reader *r, unsigned ring, uint64_t number, struct sb_err *e)
{
    uint64_t published = sb_layout_published(r->layout, ring, number);
    if (!sb_layout_copy_chunk(r->layout, ring, number, published, r->copy))
        return sb_err_set(e, SB_ERR_INPUT, "the rings are damaged");
    SB_TRY(read_dictionary(r, e));
    struct sb_sbt_block b = {.type = SB_SBT_EVENTS,
                             .lane = r->copy->lane,
                             .raw = (uint32_t)SB_CHUNK_PREFIX + (uint32_t)published,
                             .events = (uint32_t)(published >> 32)};
    uint8_t *raw = (uint8_t *)&r->copy->first_ns;
    memset(raw + b.raw, 0, SB_SBT_SLACK);
    r->events.n = 0;
    sb_sbt_decode_events(&r->sbt, &(struct sb_block){0}, &b, raw, &r->events);
    return true;
}

/* Chunk n is overwritten by chunk n + n_chunks, which the node opens once the drain has released chunk n. */
static bool
is_overwritten(struct sb_ring_reader *r, unsigned i)
{
    atomic_exchange(&r->copied, true); /* orders the copy before the look, which an acquiring load does not */
    uint64_t head = atomic_load_explicit(&sb_layout_ring(r->layout, i)->head, memory_order_acquire);
    return r->beside && head - r->place[i].chunk > r->layout->ring[i].n_chunks;
}

/* Continues with the chunk that the node writes to. The one that was read may have been read to its end; each other
 * chunk that is left out has at least one event. */
static void
skip_overwritten(struct sb_ring_reader *r, unsigned i)
{
    uint64_t head = atomic_load(&sb_layout_ring(r->layout, i)->head);
    r->overwritten += head - 2 - r->place[i].chunk;
    r->place[i] = (struct place){.chunk = head - 1};
}

/* Damaged, or overwritten while it was read. */
static bool
take_chunk(struct sb_ring_reader *r, unsigned i, struct sb_err *e)
{
    struct sb_err damage = {.at_byte = SB_NO_BYTE};
    bool ok = decode(r, i, r->place[i].chunk, &damage);
    if (is_overwritten(r, i)) {
        skip_overwritten(r, i);
        r->events.n = 0;
        return true;
    }
    if (!ok)
        *e = damage;
    return ok;
}

static void
release(struct sb_ring_reader *r, unsigned i)
{
    struct sb_ring *ring = sb_layout_ring(r->layout, i);
    if (r->beside)
        return;
    for (unsigned k = 0; k < SB_CLASSES_MAX; k++)
        ring->reported[k] += r->copy->dropped[k];
    atomic_store_explicit(&ring->tail, r->place[i].chunk + 1, memory_order_release);
}

bool
sb_ring_reader_next(struct sb_ring_reader *r, unsigned i, const struct sb_event **ev, size_t *n,
                    struct sb_err *e)
{
    const struct sb_ring *ring = sb_layout_ring(r->layout, i);
    struct place *at = &r->place[i];
    *n = 0;
    while (*n == 0) {
        uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
        if (at->chunk == head)
            return true;
        if (head - at->chunk > r->layout->ring[i].n_chunks && !r->beside)
            return sb_err_set(e, SB_ERR_INPUT, "the rings are damaged");
        SB_TRY(take_chunk(r, i, e));
        size_t before = at->events < r->events.n ? at->events : r->events.n;
        *ev = r->events.at + before;
        *n = r->events.n - before;
        at->events = r->events.n;
        if (at->chunk + 1 >= head) /* the node writes to it */
            return true;
        release(r, i);
        *at = (struct place){.chunk = at->chunk + 1};
    }
    return true;
}

unsigned
sb_ring_reader_rings(const struct sb_ring_reader *r)
{
    return r->layout->n_rings;
}

uint64_t
sb_ring_reader_lost(const struct sb_ring_reader *r)
{
    uint64_t lost = r->overwritten;
    for (unsigned c = 0; c < SB_CLASSES_MAX; c++) {
        lost += atomic_load(&r->layout->rings->dropped[c]);
        for (unsigned i = 0; i < r->layout->n_rings; i++)
            lost += atomic_load(&sb_layout_ring(r->layout, i)->dropped[c]);
    }
    return lost;
}

uint64_t
sb_ring_reader_cost_ns(const struct sb_ring_reader *r)
{
    const uint64_t *cost = r->source.info.cost_ns_x100;
    uint64_t other = cost[SB_RUNNING] ? cost[SB_RUNNING] : cost[SB_MESSAGES], sum = 0;
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++) {
        uint64_t events = 0, each = cost[sb_kinds[k].class];
        for (unsigned i = 0; i < r->layout->n_rings; i++)
            events += sb_layout_ring(r->layout, i)->kinds[k];
        sum += events * (each ? each : other) / 100;
    }
    return sum;
}

uint64_t
sb_ring_reader_dearest_x100(const struct sb_ring_reader *r)
{
    uint64_t most = 0;
    for (unsigned c = 0; c < SB_CLASSES; c++) {
        uint64_t each = r->source.info.cost_ns_x100[c];
        most = each > most ? each : most;
    }
    return most;
}
