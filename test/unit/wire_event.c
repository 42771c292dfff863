/*
 * The encoder of each event kind (wire_event.h) against a walk over the kind's row in sb_kinds: the slots of
 * strobe's own records, in order, each with a value of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "trace/kind.h"
#include "trace/sbt/wire_event.h"

enum { ROUNDS = 4 };

/* The value of the slot at `offset`: small, large, negative or unknown. */
static uint64_t
value_at(size_t offset, size_t bytes, unsigned round)
{
    const uint64_t v[ROUNDS] = {offset + 1, (offset + 1) * 0x9e3779b9u, -(uint64_t)offset - 5, SB_UNKNOWN};
    return bytes == 4 ? (uint32_t)v[round] : v[round];
}

static uint8_t *
put_slot(uint8_t *p, sb_actor *recent, const struct sb_slot *s, uint64_t v)
{
    switch (s->type) {
    case SB_SLOT_PID:
        return sb_wire_put_actor(p, recent, v);
    case SB_SLOT_TEXT:
        return sb_wire_put_text(p, s->name, strlen(s->name));
    case SB_SLOT_U:
        return sb_varint_put(p, v == (s->size == 4 ? SB_UNKNOWN32 : SB_UNKNOWN) ? 0 : v + 1);
    case SB_SLOT_I:
        return sb_varint_put(p, sb_zigzag((int64_t)v));
    case SB_SLOT_HEX:
        *p++ = (uint8_t)v, *p++ = (uint8_t)(v >> 8);
        return p;
    default:
        return sb_varint_put(p, v);
    }
}

static size_t
expected(const struct sb_kind *k, unsigned round, uint8_t *out)
{
    sb_actor recent[SB_WIRE_RECENT] = {0};
    uint8_t *p = out;
    for (unsigned i = 0; i < k->n_slots; i++)
        if (!k->slot[i].otp_only)
            p = put_slot(p, recent, &k->slot[i], value_at(k->slot[i].offset, k->slot[i].size, round));
    return (size_t)(p - out);
}

#define VALUE(field) value_at(offsetof(struct sb_event_raw, field), sizeof(SB_WIRE_RAW(field)), round)
#define SET_PID(field, name) s.name = VALUE(field);
#define SET_MFA(field, name) s.name = (uint32_t)VALUE(field);
#define SET_ATOM(field, name) s.name = (uint32_t)VALUE(field);
#define SET_TEXT(field, name) s.name = (struct sb_wire_text){#name, strlen(#name)};
#define SET_U(field, name) s.name = (SB_WIRE_RAW(field))VALUE(field);
#define SET_NUM(field, name) s.name = (SB_WIRE_RAW(field))VALUE(field);
#define SET_I(field, name) s.name = (int64_t)VALUE(field);
#define SET_HEX(field, name) s.name = (uint16_t)VALUE(field);

#define OTP_SLOT(...)
#define SLOT(field, name, type, ...) SET_##type(field, name)
#define EVENT(id, tag, class, group, rank, marks, control, doc, ...) \
    static size_t encode_##id(unsigned round, uint8_t *out) \
    { \
        sb_actor recent[SB_WIRE_RECENT] = {0}; \
        struct sb_wire_##id s; \
        (void)round; \
        memset(&s, 0, sizeof s); \
        __VA_ARGS__ \
        return (size_t)(sb_wire_put_##id(out, recent, s) - out); \
    }
#include "trace/event.def"
#undef EVENT
#undef SLOT

#define SLOT(...)
#define EVENT(id, ...) encode_##id,
static size_t (*const encode[SB_EVENT_KINDS])(unsigned round, uint8_t *out) = {
#include "trace/event.def"
};
#undef EVENT
#undef SLOT

static void
slots_are_encoded_in_order(void **state)
{
    (void)state;
    uint8_t got[SB_WIRE_RECORD_MAX], want[SB_WIRE_RECORD_MAX];
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            size_t n = encode[k](round, got);
            assert_int_equal(n, expected(&sb_kinds[k], round, want));
            assert_memory_equal(got, want, n);
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slots_are_encoded_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
