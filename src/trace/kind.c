#include "trace/kind.h"

#define A_SLOT(field, name, type, doc, otp_only) \
    {#name, \
     doc, \
     SB_SLOT_##type, \
     otp_only, \
     offsetof(struct sb_event_raw, field), \
     sizeof(((struct sb_event_raw *)0)->field)},
#define SLOT(field, name, type, doc) A_SLOT(field, name, type, doc, false)
#define OTP_SLOT(field, name, type, doc) A_SLOT(field, name, type, doc, true)
#define ACTS SB_MARK_ACTS
#define KEPT SB_MARK_KEPT
#define VM SB_MARK_VM
#define NONE SB_MARK_NONE
#define EVENT(id, tag, class, group, rank, marks, control, doc, ...) \
    [SB_EV_##id] = {#id,          tag,   doc, \
                    SB_##class,   marks, sizeof((struct sb_slot[]){__VA_ARGS__}) / sizeof(struct sb_slot), \
                    {__VA_ARGS__}},
const struct sb_kind sb_kinds[SB_EVENT_KINDS] = {
#include "trace/event.def"
};
#undef EVENT
#undef SLOT

const char *const sb_class_names[SB_CLASSES] = {[SB_META] = "meta",
                                                [SB_PROCS] = "procs",
                                                [SB_RUNNING] = "running",
                                                [SB_MESSAGES] = "messages",
                                                [SB_GC] = "gc",
                                                [SB_PORTS] = "ports",
                                                [SB_CALLS] = "calls",
                                                [SB_PROFILE] = "profile",
                                                [SB_MARKS] = "marks",
                                                [SB_VM] = "vm",
                                                [SB_SAMPLE] = "sample",
                                                [SB_COUNTS] = "counts",
                                                [SB_DICTIONARY] = "dictionary",
                                                [SB_CPU] = "cpu"};

bool
sb_kind_find(struct sb_str tag, enum sb_event_kind *out)
{
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++)
        if (sb_str_eq(tag, sb_str_of(sb_kinds[k].tag))) {
            *out = (enum sb_event_kind)k;
            return true;
        }
    return false;
}

bool
sb_class_find(struct sb_str name, enum sb_class *out)
{
    for (unsigned c = 0; c < SB_CLASSES; c++)
        if (sb_str_eq(name, sb_str_of(sb_class_names[c]))) {
            *out = (enum sb_class)c;
            return true;
        }
    return false;
}

const struct sb_slot *
sb_kind_slot(enum sb_event_kind kind, size_t offset)
{
    const struct sb_kind *k = &sb_kinds[kind];
    for (unsigned i = 0; i < k->n_slots; i++)
        if (k->slot[i].offset == offset)
            return &k->slot[i];
    return NULL;
}

uint64_t
sb_slot_get(const struct sb_slot *s, const struct sb_event *ev)
{
    const char *member = (const char *)ev + s->offset;
    uint64_t wide;
    uint32_t narrow;
    if (s->size == sizeof wide) {
        memcpy(&wide, member, sizeof wide);
        return wide;
    }
    memcpy(&narrow, member, sizeof narrow);
    bool absent = narrow == SB_UNKNOWN32 && (s->type == SB_SLOT_U || s->type == SB_SLOT_I);
    return absent ? SB_UNKNOWN : narrow;
}

void
sb_slot_set(const struct sb_slot *s, struct sb_event *ev, uint64_t v)
{
    char *member = (char *)ev + s->offset;
    uint32_t narrow = (uint32_t)v;
    if (s->size == sizeof v)
        memcpy(member, &v, sizeof v);
    else
        memcpy(member, &narrow, sizeof narrow);
}

bool
sb_slot_given(const struct sb_slot *s, const struct sb_event *ev)
{
    bool counts = s->type == SB_SLOT_U || s->type == SB_SLOT_I;
    return sb_slot_get(s, ev) != (counts ? SB_UNKNOWN : 0);
}

struct sb_event
sb_event_of(enum sb_event_kind kind)
{
    struct sb_event ev = {.at_ns = SB_AT_UNKNOWN, .kind = (uint8_t)kind, .lane = SB_LANE_NONE};
    const struct sb_kind *k = &sb_kinds[kind];
    for (unsigned i = 0; i < k->n_slots; i++)
        if (k->slot[i].type == SB_SLOT_U || k->slot[i].type == SB_SLOT_I)
            sb_slot_set(&k->slot[i], &ev, SB_UNKNOWN);
    return ev;
}
