/*
 * trace/event.def as a table: for each kind its tag, class, and the member of struct sb_event_raw for each
 * slot. Encoders, the text form, `info` and the documentation are generic over it.
 */
#pragma once
#include "base/str.h"
#include "trace/event.h"

enum sb_slot_type {
    SB_SLOT_PID,
    SB_SLOT_MFA,
    SB_SLOT_ATOM,
    SB_SLOT_TEXT,
    SB_SLOT_U,   /* SB_UNKNOWN when not given */
    SB_SLOT_I,   /* SB_UNKNOWN when not given */
    SB_SLOT_NUM, /* 0 when not given */
    SB_SLOT_HEX,
};

struct sb_slot {
    const char *name, *doc;
    enum sb_slot_type type;
    bool otp_only;        /* strobe's own records do not have it */
    uint8_t offset, size; /* of the member of struct sb_event_raw: 4 or 8 bytes */
};

enum sb_kind_mark { SB_MARK_NONE = 0, SB_MARK_ACTS = 1, SB_MARK_KEPT = 2, SB_MARK_VM = 4 };

enum { SB_MAX_SLOTS = 6 };
struct sb_kind {
    const char *id, *tag, *doc;
    enum sb_class class;
    unsigned marks; /* enum sb_kind_mark */
    unsigned n_slots;
    struct sb_slot slot[SB_MAX_SLOTS];
};

extern const struct sb_kind sb_kinds[SB_EVENT_KINDS];
extern const char *const sb_class_names[SB_CLASSES]; /* "meta", "procs", ... */

bool sb_kind_find(struct sb_str tag, enum sb_event_kind *out);
bool sb_class_find(struct sb_str name, enum sb_class *out);

/* Returns the slot of a kind that lies at `offset` in struct sb_event_raw; NULL: it has none there. */
const struct sb_slot *sb_kind_slot(enum sb_event_kind kind, size_t offset);
static inline bool
sb_slot_is_name(const struct sb_slot *s)
{
    return s->type == SB_SLOT_MFA || s->type == SB_SLOT_ATOM || s->type == SB_SLOT_TEXT;
}
/* Returns a slot's value as 64 bits. An absent 32-bit U or I becomes SB_UNKNOWN. */
uint64_t sb_slot_get(const struct sb_slot *s, const struct sb_event *ev);
void sb_slot_set(const struct sb_slot *s, struct sb_event *ev, uint64_t v);
bool sb_slot_given(const struct sb_slot *s, const struct sb_event *ev);
/* Returns an event of this kind with no value: all slots absent, no time, no process, no lane. */
struct sb_event sb_event_of(enum sb_event_kind kind);
