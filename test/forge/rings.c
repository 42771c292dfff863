#include "rings.h"
#include "trace/kind.h"
#include "trace/sbt/wire_record.h"
#include <stdlib.h>

enum { RINGS = 2, PAGES = 16, CHUNKS = 4, DICT_AT = (1 + RINGS) * SB_RING_PAGE, DICT = SB_RING_PAGE };

static void
put_name(struct sb_rings *r, struct sb_dict_entry e, const char *bytes)
{
    uint64_t at = atomic_load(&r->dict_used);
    e.n = (uint16_t)strlen(bytes);
    memcpy((uint8_t *)r + r->dict_at + at, &e, sizeof e);
    memcpy((uint8_t *)r + r->dict_at + at + sizeof e, bytes, e.n);
    atomic_store(&r->dict_used, at + sb_dict_entry_bytes(e.n));
}

static void
put_names(struct sb_rings *r)
{
    static const char *const atoms[] = {"shop", "main", "till", "shop@host", "run_queue"};
    for (size_t i = 0; i < sizeof atoms / sizeof *atoms; i++)
        put_name(r, (struct sb_dict_entry){.kind = SB_DICT_ATOM}, atoms[i]);
    put_name(r, (struct sb_dict_entry){.kind = SB_DICT_MFA, .arity = 1, .a = 1, .b = 2}, "");
    put_name(r, (struct sb_dict_entry){.kind = SB_DICT_FUN, .a = 1}, "");
    put_name(r, (struct sb_dict_entry){.kind = SB_DICT_FUN_NAME, .arity = 2, .a = 2, .b = 1}, "-f/1-");
    put_name(r, (struct sb_dict_entry){.kind = SB_DICT_NODE, .a = 4, .b = 7}, "");
    put_name(r, (struct sb_dict_entry){.kind = SB_DICT_NOTE}, "cost_ns");
}

static struct sb_rings *
lay_out(struct sb_layout *l)
{
    size_t bytes = PAGES * SB_RING_PAGE;
    struct sb_rings *r = aligned_alloc(SB_RING_PAGE, bytes);
    SB_ASSERT(r);
    memset(r, 0, bytes);
    *r = (struct sb_rings){.magic = SB_RING_MAGIC,
                           .version = 1,
                           .n_rings = RINGS,
                           .total_bytes = bytes,
                           .dict_at = DICT_AT,
                           .dict_bytes = DICT,
                           .os_pid = 4711,
                           .event_kinds = SB_EVENT_KINDS,
                           .state = SB_RINGS_ON};
    for (unsigned i = 0; i < RINGS; i++) {
        struct sb_ring *ring = sb_rings_at(r, i);
        ring->data_at = DICT_AT + DICT + (uint64_t)i * CHUNKS * SB_RING_PAGE;
        ring->chunk_bytes = SB_RING_PAGE;
        ring->n_chunks = CHUNKS;
        atomic_store(&ring->lane, sb_lane_make(SB_LANE_NORMAL, i + 1));
        atomic_store(&ring->gap_from_ns, SB_AT_UNKNOWN);
    }
    SB_ASSERT(sb_layout_take(l, r, bytes));
    put_names(r);
    return r;
}

/* An event with small numbers for slots. */
static struct sb_wire_record
make_event(unsigned kind, int64_t at_ns)
{
    static const uint8_t text[] = {2, 'o', 'k'};
    struct sb_wire_record r = {.text = text};
    for (unsigned i = 0; i < sb_kinds[kind].n_slots; i++)
        sb_slot_set(&sb_kinds[kind].slot[i], &r.ev, 1);
    r.ev.at_ns = at_ns;
    r.ev.kind = (uint8_t)kind;
    r.ev.who = sb_actor_make(SB_PID, 0, 0, 85);
    return r;
}

/* Fills the next chunk of a ring; `number` counts from 0. */
static void
put_chunk(struct sb_rings *r, unsigned ring, uint64_t number)
{
    struct sb_ring *to = sb_rings_at(r, ring);
    struct sb_chunk *chunk = sb_ring_chunk(r, to, number);
    struct sb_wire_state wire;
    int64_t at_ns = 1000 + (int64_t)number * 100000;
    uint64_t events = 0;
    *chunk = (struct sb_chunk){.magic = SB_CHUNK_MAGIC,
                               .lane = atomic_load(&to->lane),
                               .ring = (uint16_t)ring,
                               .number = number,
                               .first_ns = at_ns,
                               .gap_from_ns = number % 2 ? at_ns - 100 : SB_AT_UNKNOWN};
    chunk->dropped[SB_CALLS] = number % 2 ? 3 : 0;
    uint8_t *p = (uint8_t *)(chunk + 1);
    sb_wire_begin(&wire, at_ns);
    for (unsigned kind = 1; kind < SB_EVENT_KINDS; kind++, events++) {
        struct sb_wire_record event = make_event(kind, at_ns += 1000);
        p = sb_wire_write(&wire, p, &event);
        to->kinds[kind]++;
    }
    atomic_store(&chunk->published, events << 32 | (uint64_t)(p - (uint8_t *)(chunk + 1)));
    atomic_store(&to->head, number + 1);
}

void
forge_ring_copies(struct sb_ring_parts *copy, unsigned n)
{
    struct sb_layout l;
    struct sb_rings *r = lay_out(&l);
    struct sb_ring_copier *c = sb_ring_copier_open(&l);
    struct sb_err e;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned ring = 0; ring < RINGS && i > 0; ring++)
            put_chunk(r, ring, i - 1);
        copy[i] = (struct sb_ring_parts){0};
        SB_ASSERT(sb_ring_copy(c, &copy[i], &e));
    }
    sb_ring_copier_close(c);
    sb_layout_free(&l);
    free(r);
}
