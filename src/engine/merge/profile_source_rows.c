/* Converts rows to events, with one function per table. A damaged profile may hold any number, so ids are
 * checked before use. */
#include "engine/merge/profile_source_rows.h"
#include "base/hash.h"
#include "trace/kind.h"
#include <stddef.h>

uint64_t
sb_profile_source_slice_key(int64_t process, int64_t port, int64_t start)
{
    return sb_hash((int64_t[]){process, port, start}, 3 * sizeof(int64_t));
}

static sb_actor
port_of(const struct sb_profile_source *g, int64_t id)
{
    return id > 0 && (uint64_t)id <= sb_profile_rows(g->p, SB_T_port) ? g->port[id] : 0;
}

sb_actor
sb_profile_source_actor(const struct sb_profile_source *g, int64_t id)
{
    return id > 0 && (uint64_t)id <= sb_profile_rows(g->p, SB_T_process) ? g->process[id] : 0;
}

/* Several threads may look up the same name at once: all of them find the same id. Who finds it here must also see
 * what the name holds, so it is released and acquired. */
uint32_t
sb_profile_source_name(const struct sb_profile_source *g, enum sb_slot_type type, int64_t text)
{
    if (text < 0 || (uint64_t)text >= g->texts)
        return 0;
    uint32_t *known = &g->name[type][text], id = __atomic_load_n(known, __ATOMIC_ACQUIRE);
    if (id == 0) {
        id = sb_text_name(sb_profile_text(g->p, text), type, g->names);
        __atomic_store_n(known, id, __ATOMIC_RELEASE);
    }
    return id;
}

static sb_lane
lane_of(const struct sb_profile_source *g, int64_t scheduler)
{
    return scheduler > 0 && (uint64_t)scheduler < g->lanes ? g->lane[scheduler] : SB_LANE_NONE;
}

static int64_t
stamp(const struct sb_profile_source *g, int64_t at)
{
    return at == SB_NULL ? SB_AT_UNKNOWN : sb_profile_source_add(at, g->shift_ns);
}

static uint64_t
amount(int64_t v)
{
    return v == SB_NULL ? SB_UNKNOWN : (uint64_t)v;
}

static bool
is_own(const struct sb_profile_source *g, int64_t process, int64_t port)
{
    return sb_profile_source_actor(g, process) ? g->own_process[process]
                                               : port_of(g, port) && g->own_port[port];
}

static struct sb_event
event(const struct sb_profile_source *g, enum sb_event_kind kind, int64_t at, sb_actor who)
{
    struct sb_event ev = sb_event_of(kind);
    ev.at_ns = stamp(g, at);
    ev.who = who;
    return ev;
}

#define CELL(table, column) sb_profile_source_cell(r, SB_C_##table##__##column, row)

static void
slice_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t process = CELL(slice, process), port = CELL(slice, port);
    int64_t start = CELL(slice, start), dur = CELL(slice, dur);
    if (!is_own(g, process, port) || sb_map_get(&g->open, sb_profile_source_slice_key(process, port, start)))
        return;
    sb_actor who = process != SB_NULL ? sb_profile_source_actor(g, process) : port_of(g, port);
    struct sb_event in = event(g, SB_EV_in, start, who);
    in.lane = lane_of(g, CELL(slice, scheduler));
    in.running.mfa = sb_profile_source_name(g, SB_SLOT_MFA, CELL(slice, in_function));
    struct sb_event left = in;
    left.kind = SB_EV_out;
    left.at_ns = sb_profile_source_add(left.at_ns, dur);
    left.running.mfa = sb_profile_source_name(g, SB_SLOT_MFA, CELL(slice, out_function));
    *SB_PUSH(out) = in;
    *SB_PUSH(out) = left;
}

/* Runnable time is inferred again from slices, unless the VM reported it. */
static void
gap_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t process = CELL(gap, process), start = CELL(gap, start);
    int64_t wait = CELL(gap, wait_ns);
    if (!g->vm_reported || !is_own(g, process, SB_NULL) || wait <= 0)
        return;
    sb_actor who = sb_profile_source_actor(g, process);
    *SB_PUSH(out) = event(g, SB_EV_inactive, start, who);
    *SB_PUSH(out) = event(g, SB_EV_active, sb_profile_source_add(start, wait), who);
}

static void
message_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t sender = CELL(message, sender), to = CELL(message, receiver);
    int64_t sent = CELL(message, sent), got = CELL(message, received);
    int64_t hash = CELL(message, hash), alias = CELL(message, alias);
    struct sb_event ev = event(g, SB_EV_send, sent, sb_profile_source_actor(g, sender));
    ev.send.to = sb_profile_source_actor(g, to);
    ev.message.words = amount(CELL(message, words));
    ev.message.ext = amount(CELL(message, ext_bytes));
    /* a message without a hash was already paired, so the row makes a unique hash */
    ev.message.hash = hash == SB_NULL ? 1u << 31 | (uint32_t)row : (uint64_t)hash;
    ev.message.alias = alias == SB_NULL ? 0 : (uint32_t)alias;
    ev.flags = CELL(message, at_least) > 0 ? SB_EVF_AT_LEAST : 0;
    ev.lane = lane_of(g, CELL(message, sent_on));
    if (sent != SB_NULL && is_own(g, sender, SB_NULL)) /* a port's sends are in table event */
        *SB_PUSH(out) = ev;
    ev.kind = SB_EV_receive;
    ev.at_ns = stamp(g, got);
    ev.who = ev.send.to;
    ev.lane = SB_LANE_NONE;
    ev.flags = sent == SB_NULL ? ev.flags : 0;
    int64_t asker = CELL(message, asker);
    ev.receive.down = sb_profile_source_actor(g, asker == SB_NULL ? CELL(message, down) : asker);
    ev.receive.asks = asker == SB_NULL ? 0 : CELL(message, call) == 1 ? SB_CALLER : SB_ASKER;
    if (got != SB_NULL && is_own(g, to, SB_NULL))
        *SB_PUSH(out) = ev;
}

static void
gc_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t process = CELL(gc, process), start = CELL(gc, start);
    int64_t reclaimed = CELL(gc, reclaimed_words);
    struct sb_str kind = sb_profile_text(g->p, CELL(gc, kind));
    bool major = sb_str_eq(kind, SB_STR("major"));
    if (!is_own(g, process, SB_NULL))
        return;
    struct sb_event ev = event(g,
                               kind.n == 0 ? SB_EV_gc_start
                               : major     ? SB_EV_gc_major_start
                                           : SB_EV_gc_minor_start,
                               start, sb_profile_source_actor(g, process));
    int64_t mbuf = CELL(gc, mbuf_words);
    ev.gc.heap = amount(CELL(gc, heap_before));
    ev.gc.bin = amount(CELL(gc, bin_before));
    ev.gc.old = amount(CELL(gc, old_before));
    ev.gc.mbuf = mbuf == SB_NULL ? SB_UNKNOWN32 : (uint32_t)mbuf;
    *SB_PUSH(out) = ev;
    ev.lane = lane_of(g, CELL(gc, scheduler));
    ev.kind = kind.n == 0 ? SB_EV_gc_end : major ? SB_EV_gc_major_end : SB_EV_gc_minor_end;
    ev.at_ns = sb_profile_source_add(ev.at_ns, CELL(gc, dur));
    ev.gc.heap = amount(CELL(gc, heap_after));
    ev.gc.bin = amount(CELL(gc, bin_after));
    ev.gc.old = amount(CELL(gc, old_after));
    ev.gc.need = reclaimed > 0 && reclaimed <= UINT32_MAX ? (uint32_t)reclaimed : 0;
    *SB_PUSH(out) = ev;
}

static void
mark_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t process = CELL(mark, process);
    struct sb_event ev = event(g, SB_EV_mark, CELL(mark, at), sb_profile_source_actor(g, process));
    ev.lane = lane_of(g, CELL(mark, scheduler));
    ev.mark.text = sb_profile_source_name(g, SB_SLOT_TEXT, CELL(mark, text));
    if (process == SB_NULL ? g->first : is_own(g, process, SB_NULL))
        *SB_PUSH(out) = ev;
}

static void
sample_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    struct sb_event ev = event(g, SB_EV_sample, CELL(sample, at), 0);
    ev.sample.item = sb_profile_source_name(g, SB_SLOT_ATOM, CELL(sample, item));
    ev.sample.key = sb_profile_source_name(g, SB_SLOT_TEXT, CELL(sample, key));
    ev.sample.value = amount(CELL(sample, value));
    if (CELL(sample, node) == g->node)
        *SB_PUSH(out) = ev;
}

static uint32_t
remainder_of(int64_t switches)
{
    return switches == SB_NULL ? SB_UNKNOWN32 : (uint32_t)((uint64_t)switches % UINT32_MAX);
}

/* Emits a reading relative to the first one, which gives the same sums. */
static void
thread_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    struct sb_event ev = event(g, SB_EV_thread, CELL(thread_sample, at), 0);
    int64_t tid = CELL(thread_sample, tid);
    if (CELL(thread_sample, node) != g->node || tid < 0 || tid > UINT32_MAX)
        return;
    ev.thread.tid = (uint64_t)tid;
    const uint32_t *name = sb_map_get(&g->thread, (uint64_t)tid);
    ev.thread.name = name ? sb_profile_source_name(g, SB_SLOT_TEXT, (int64_t)*name - 1) : 0;
    ev.thread.cpu = amount(CELL(thread_sample, cpu_ns));
    ev.thread.queue = amount(CELL(thread_sample, queue_ns));
    ev.thread.voluntary = remainder_of(CELL(thread_sample, voluntary));
    ev.thread.involuntary = remainder_of(CELL(thread_sample, involuntary));
    *SB_PUSH(out) = ev;
}

static void
frame_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    struct sb_event ev = event(g, SB_EV_cpu_frame, CELL(cpu_frame, at), 0);
    ev.cpu_frame.number = (uint32_t)CELL(cpu_frame, number);
    ev.cpu_frame.caller = amount(CELL(cpu_frame, caller));
    ev.cpu_frame.kind = amount(CELL(cpu_frame, kind));
    ev.cpu_frame.name = sb_profile_source_name(g, SB_SLOT_TEXT, CELL(cpu_frame, function));
    if (CELL(cpu_frame, node) == g->node)
        *SB_PUSH(out) = ev;
}

static void
tick_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    struct sb_event ev = event(g, SB_EV_cpu_sample, CELL(cpu_tick, at), 0);
    ev.cpu_sample.tid = amount(CELL(cpu_tick, tid));
    ev.cpu_sample.stack = (uint32_t)CELL(cpu_tick, stack);
    if (CELL(cpu_tick, node) == g->node)
        *SB_PUSH(out) = ev;
}

/* The sums of all losses were read when the profile was opened. */
static void
loss_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    struct sb_event ev = event(g, SB_EV_drop, CELL(loss, at), 0);
    struct sb_str class = sb_profile_text(g->p, CELL(loss, class));
    enum sb_class c;
    ev.drop.events = amount(CELL(loss, events));
    if (sb_class_find(class, &c))
        ev.drop.class = c;
    if (ev.at_ns != SB_AT_UNKNOWN && CELL(loss, node) == g->node)
        *SB_PUSH(out) = ev;
}

static sb_actor
peer_of(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row)
{
    int64_t process = CELL(event, peer), port = CELL(event, peer_port);
    int64_t name = CELL(event, peer_name);
    struct sb_str node = sb_profile_text(g->p, CELL(event, peer_node)), other;
    if (name == SB_NULL)
        return sb_profile_source_actor(g, process) ? sb_profile_source_actor(g, process) : port_of(g, port);
    unsigned index = 0, known = sb_names_nodes(g->names);
    uint32_t creation;
    for (unsigned i = 0; i < known; i++) {
        other = sb_names_node_name(g->names, i, &creation);
        if (sb_str_eq(other, node)) {
            index = i;
            break;
        }
    }
    return (sb_actor)index << 52 | sb_profile_source_name(g, SB_SLOT_ATOM, name);
}

static void
other_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t process = CELL(event, process), port = CELL(event, port);
    enum sb_event_kind kind;
    if (CELL(event, node) != g->node || !sb_kind_find(sb_profile_text(g->p, CELL(event, kind)), &kind))
        return;
    struct sb_event ev =
        event(g, kind, CELL(event, at),
              sb_profile_source_actor(g, process) ? sb_profile_source_actor(g, process) : port_of(g, port));
    const struct sb_slot *f = sb_kind_slot(kind, offsetof(struct sb_event_raw, f)),
                         *other = sb_kind_slot(kind, offsetof(struct sb_event_raw, g));
    uint32_t n = (uint32_t)CELL(event, n);
    ev.lane = lane_of(g, CELL(event, scheduler));
    ev.raw.peer = peer_of(g, r, row);
    ev.raw.x = (uint64_t)CELL(event, x);
    ev.raw.y = (uint64_t)CELL(event, y);
    ev.raw.z = (uint64_t)CELL(event, z);
    *(f && !sb_slot_is_name(f) ? &ev.raw.f : &ev.raw.n) = n; /* as sb_journal stores it */
    if (f && sb_slot_is_name(f))
        ev.raw.f = sb_profile_source_name(g, f->type, CELL(event, f));
    if (other && sb_slot_is_name(other))
        ev.raw.g = sb_profile_source_name(g, other->type, CELL(event, g));
    ev.flags = (uint8_t)CELL(event, flags);
    *SB_PUSH(out) = ev;
}

const struct sb_profile_source_table sb_profile_source_tables[] = {
    {SB_T_slice, slice_events},
    {SB_T_gap, gap_events},
    {SB_T_message, message_events},
    {SB_T_gc, gc_events},
    {SB_T_mark, mark_events},
    {SB_T_sample, sample_events},
    {SB_T_thread_sample, thread_events},
    {SB_T_cpu_frame, frame_events},
    {SB_T_cpu_tick, tick_events},
    {SB_T_loss, loss_events},
    {SB_T_event, other_events},
};
const unsigned sb_profile_source_tables_n =
    sizeof sb_profile_source_tables / sizeof *sb_profile_source_tables;
