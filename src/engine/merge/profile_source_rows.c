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

static void
slice_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t process = sb_profile_source_cell(r, SB_C_slice__process, row),
            port = sb_profile_source_cell(r, SB_C_slice__port, row);
    int64_t start = sb_profile_source_cell(r, SB_C_slice__start, row),
            dur = sb_profile_source_cell(r, SB_C_slice__dur, row);
    if (!is_own(g, process, port) || sb_map_get(&g->open, sb_profile_source_slice_key(process, port, start)))
        return;
    sb_actor who = process != SB_NULL ? sb_profile_source_actor(g, process) : port_of(g, port);
    struct sb_event in = event(g, SB_EV_in, start, who);
    in.lane = lane_of(g, sb_profile_source_cell(r, SB_C_slice__scheduler, row));
    in.running.mfa =
        sb_profile_source_name(g, SB_SLOT_MFA, sb_profile_source_cell(r, SB_C_slice__in_function, row));
    struct sb_event left = in;
    left.kind = SB_EV_out;
    left.at_ns = sb_profile_source_add(left.at_ns, dur);
    left.running.mfa =
        sb_profile_source_name(g, SB_SLOT_MFA, sb_profile_source_cell(r, SB_C_slice__out_function, row));
    *SB_PUSH(out) = in;
    *SB_PUSH(out) = left;
}

/* Runnable time is inferred again from slices, unless the VM reported it. */
static void
gap_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t process = sb_profile_source_cell(r, SB_C_gap__process, row),
            start = sb_profile_source_cell(r, SB_C_gap__start, row);
    int64_t wait = sb_profile_source_cell(r, SB_C_gap__wait_ns, row);
    if (!g->vm_reported || !is_own(g, process, SB_NULL) || wait <= 0)
        return;
    sb_actor who = sb_profile_source_actor(g, process);
    *SB_PUSH(out) = event(g, SB_EV_inactive, start, who);
    *SB_PUSH(out) = event(g, SB_EV_active, sb_profile_source_add(start, wait), who);
}

static void
message_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t sender = sb_profile_source_cell(r, SB_C_message__sender, row),
            to = sb_profile_source_cell(r, SB_C_message__receiver, row);
    int64_t sent = sb_profile_source_cell(r, SB_C_message__sent, row),
            got = sb_profile_source_cell(r, SB_C_message__received, row);
    int64_t hash = sb_profile_source_cell(r, SB_C_message__hash, row),
            alias = sb_profile_source_cell(r, SB_C_message__alias, row);
    struct sb_event ev = event(g, SB_EV_send, sent, sb_profile_source_actor(g, sender));
    ev.send.to = sb_profile_source_actor(g, to);
    ev.message.words = amount(sb_profile_source_cell(r, SB_C_message__words, row));
    ev.message.ext = amount(sb_profile_source_cell(r, SB_C_message__ext_bytes, row));
    /* a message without a hash was already paired, so the row makes a unique hash */
    ev.message.hash = hash == SB_NULL ? 1u << 31 | (uint32_t)row : (uint64_t)hash;
    ev.message.alias = alias == SB_NULL ? 0 : (uint32_t)alias;
    ev.flags = sb_profile_source_cell(r, SB_C_message__at_least, row) > 0 ? SB_EVF_AT_LEAST : 0;
    ev.lane = lane_of(g, sb_profile_source_cell(r, SB_C_message__sent_on, row));
    if (sent != SB_NULL && is_own(g, sender, SB_NULL)) /* a port's sends are in table event */
        *SB_PUSH(out) = ev;
    ev.kind = SB_EV_receive;
    ev.at_ns = stamp(g, got);
    ev.who = ev.send.to;
    ev.lane = SB_LANE_NONE;
    ev.flags = sent == SB_NULL ? ev.flags : 0;
    int64_t asker = sb_profile_source_cell(r, SB_C_message__asker, row);
    ev.receive.down = sb_profile_source_actor(
        g, asker == SB_NULL ? sb_profile_source_cell(r, SB_C_message__down, row) : asker);
    ev.receive.asks = asker == SB_NULL                                          ? 0
                      : sb_profile_source_cell(r, SB_C_message__call, row) == 1 ? SB_CALLER
                                                                                : SB_ASKER;
    if (got != SB_NULL && is_own(g, to, SB_NULL))
        *SB_PUSH(out) = ev;
}

static void
gc_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t process = sb_profile_source_cell(r, SB_C_gc__process, row),
            start = sb_profile_source_cell(r, SB_C_gc__start, row);
    int64_t reclaimed = sb_profile_source_cell(r, SB_C_gc__reclaimed_words, row);
    struct sb_str kind = sb_profile_text(g->p, sb_profile_source_cell(r, SB_C_gc__kind, row));
    bool major = sb_str_eq(kind, SB_STR("major"));
    if (!is_own(g, process, SB_NULL))
        return;
    struct sb_event ev = event(g,
                               kind.n == 0 ? SB_EV_gc_start
                               : major     ? SB_EV_gc_major_start
                                           : SB_EV_gc_minor_start,
                               start, sb_profile_source_actor(g, process));
    int64_t mbuf = sb_profile_source_cell(r, SB_C_gc__mbuf_words, row);
    ev.gc.heap = amount(sb_profile_source_cell(r, SB_C_gc__heap_before, row));
    ev.gc.bin = amount(sb_profile_source_cell(r, SB_C_gc__bin_before, row));
    ev.gc.old = amount(sb_profile_source_cell(r, SB_C_gc__old_before, row));
    ev.gc.mbuf = mbuf == SB_NULL ? SB_UNKNOWN32 : (uint32_t)mbuf;
    *SB_PUSH(out) = ev;
    ev.lane = lane_of(g, sb_profile_source_cell(r, SB_C_gc__scheduler, row));
    ev.kind = kind.n == 0 ? SB_EV_gc_end : major ? SB_EV_gc_major_end : SB_EV_gc_minor_end;
    ev.at_ns = sb_profile_source_add(ev.at_ns, sb_profile_source_cell(r, SB_C_gc__dur, row));
    ev.gc.heap = amount(sb_profile_source_cell(r, SB_C_gc__heap_after, row));
    ev.gc.bin = amount(sb_profile_source_cell(r, SB_C_gc__bin_after, row));
    ev.gc.old = amount(sb_profile_source_cell(r, SB_C_gc__old_after, row));
    ev.gc.need = reclaimed > 0 && reclaimed <= UINT32_MAX ? (uint32_t)reclaimed : 0;
    *SB_PUSH(out) = ev;
}

static void
mark_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    int64_t process = sb_profile_source_cell(r, SB_C_mark__process, row);
    struct sb_event ev = event(g, SB_EV_mark, sb_profile_source_cell(r, SB_C_mark__at, row),
                               sb_profile_source_actor(g, process));
    ev.lane = lane_of(g, sb_profile_source_cell(r, SB_C_mark__scheduler, row));
    ev.mark.text = sb_profile_source_name(g, SB_SLOT_TEXT, sb_profile_source_cell(r, SB_C_mark__text, row));
    if (process == SB_NULL ? g->first : is_own(g, process, SB_NULL))
        *SB_PUSH(out) = ev;
}

static void
sample_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    struct sb_event ev = event(g, SB_EV_sample, sb_profile_source_cell(r, SB_C_sample__at, row), 0);
    ev.sample.item =
        sb_profile_source_name(g, SB_SLOT_ATOM, sb_profile_source_cell(r, SB_C_sample__item, row));
    ev.sample.key = sb_profile_source_name(g, SB_SLOT_TEXT, sb_profile_source_cell(r, SB_C_sample__key, row));
    ev.sample.value = amount(sb_profile_source_cell(r, SB_C_sample__value, row));
    if (sb_profile_source_cell(r, SB_C_sample__node, row) == g->node)
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
    struct sb_event ev = event(g, SB_EV_thread, sb_profile_source_cell(r, SB_C_thread_sample__at, row), 0);
    int64_t tid = sb_profile_source_cell(r, SB_C_thread_sample__tid, row);
    if (sb_profile_source_cell(r, SB_C_thread_sample__node, row) != g->node || tid < 0 || tid > UINT32_MAX)
        return;
    ev.thread.tid = (uint64_t)tid;
    const uint32_t *name = sb_map_get(&g->thread, (uint64_t)tid);
    ev.thread.name = name ? sb_profile_source_name(g, SB_SLOT_TEXT, (int64_t)*name - 1) : 0;
    ev.thread.cpu = amount(sb_profile_source_cell(r, SB_C_thread_sample__cpu_ns, row));
    ev.thread.queue = amount(sb_profile_source_cell(r, SB_C_thread_sample__queue_ns, row));
    ev.thread.voluntary = remainder_of(sb_profile_source_cell(r, SB_C_thread_sample__voluntary, row));
    ev.thread.involuntary = remainder_of(sb_profile_source_cell(r, SB_C_thread_sample__involuntary, row));
    *SB_PUSH(out) = ev;
}

static void
frame_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    struct sb_event ev = event(g, SB_EV_cpu_frame, sb_profile_source_cell(r, SB_C_cpu_frame__at, row), 0);
    ev.cpu_frame.number = (uint32_t)sb_profile_source_cell(r, SB_C_cpu_frame__number, row);
    ev.cpu_frame.caller = amount(sb_profile_source_cell(r, SB_C_cpu_frame__caller, row));
    ev.cpu_frame.kind = amount(sb_profile_source_cell(r, SB_C_cpu_frame__kind, row));
    ev.cpu_frame.name =
        sb_profile_source_name(g, SB_SLOT_TEXT, sb_profile_source_cell(r, SB_C_cpu_frame__function, row));
    if (sb_profile_source_cell(r, SB_C_cpu_frame__node, row) == g->node)
        *SB_PUSH(out) = ev;
}

static void
tick_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    struct sb_event ev = event(g, SB_EV_cpu_sample, sb_profile_source_cell(r, SB_C_cpu_tick__at, row), 0);
    ev.cpu_sample.tid = amount(sb_profile_source_cell(r, SB_C_cpu_tick__tid, row));
    ev.cpu_sample.stack = (uint32_t)sb_profile_source_cell(r, SB_C_cpu_tick__stack, row);
    if (sb_profile_source_cell(r, SB_C_cpu_tick__node, row) == g->node)
        *SB_PUSH(out) = ev;
}

/* The sums of all losses were read when the profile was opened. */
static void
loss_events(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row, struct sb_events *out)
{
    struct sb_event ev = event(g, SB_EV_drop, sb_profile_source_cell(r, SB_C_loss__at, row), 0);
    struct sb_str class = sb_profile_text(g->p, sb_profile_source_cell(r, SB_C_loss__class, row));
    enum sb_class c;
    ev.drop.events = amount(sb_profile_source_cell(r, SB_C_loss__events, row));
    if (sb_class_find(class, &c))
        ev.drop.class = c;
    if (ev.at_ns != SB_AT_UNKNOWN && sb_profile_source_cell(r, SB_C_loss__node, row) == g->node)
        *SB_PUSH(out) = ev;
}

static sb_actor
peer_of(const struct sb_profile_source *g, struct sb_reader *r, uint64_t row)
{
    int64_t process = sb_profile_source_cell(r, SB_C_event__peer, row),
            port = sb_profile_source_cell(r, SB_C_event__peer_port, row);
    int64_t name = sb_profile_source_cell(r, SB_C_event__peer_name, row);
    struct sb_str node = sb_profile_text(g->p, sb_profile_source_cell(r, SB_C_event__peer_node, row)), other;
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
    int64_t process = sb_profile_source_cell(r, SB_C_event__process, row),
            port = sb_profile_source_cell(r, SB_C_event__port, row);
    enum sb_event_kind kind;
    if (sb_profile_source_cell(r, SB_C_event__node, row) != g->node ||
        !sb_kind_find(sb_profile_text(g->p, sb_profile_source_cell(r, SB_C_event__kind, row)), &kind))
        return;
    struct sb_event ev =
        event(g, kind, sb_profile_source_cell(r, SB_C_event__at, row),
              sb_profile_source_actor(g, process) ? sb_profile_source_actor(g, process) : port_of(g, port));
    const struct sb_slot *f = sb_kind_slot(kind, offsetof(struct sb_event_raw, f)),
                         *other = sb_kind_slot(kind, offsetof(struct sb_event_raw, g));
    uint32_t n = (uint32_t)sb_profile_source_cell(r, SB_C_event__n, row);
    ev.lane = lane_of(g, sb_profile_source_cell(r, SB_C_event__scheduler, row));
    ev.raw.peer = peer_of(g, r, row);
    ev.raw.x = (uint64_t)sb_profile_source_cell(r, SB_C_event__x, row);
    ev.raw.y = (uint64_t)sb_profile_source_cell(r, SB_C_event__y, row);
    ev.raw.z = (uint64_t)sb_profile_source_cell(r, SB_C_event__z, row);
    *(f && !sb_slot_is_name(f) ? &ev.raw.f : &ev.raw.n) = n; /* as sb_journal stores it */
    if (f && sb_slot_is_name(f))
        ev.raw.f = sb_profile_source_name(g, f->type, sb_profile_source_cell(r, SB_C_event__f, row));
    if (other && sb_slot_is_name(other))
        ev.raw.g = sb_profile_source_name(g, other->type, sb_profile_source_cell(r, SB_C_event__g, row));
    ev.flags = (uint8_t)sb_profile_source_cell(r, SB_C_event__flags, row);
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
