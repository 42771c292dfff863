/*
 * Writing protocol buffers: append-only, no objects. A nested message is begun and ended; its length is one
 * byte that is widened when the message turns out longer than 127 bytes, so small messages are never moved.
 *
 *     sb_pb_begin(b, 2); sb_pb_u64(b, 1, 7); sb_pb_str(b, 3, SB_STR("x")); sb_pb_end(b);
 *
 * One thread uses a buffer at a time. Numbers up to 31 are one or two bytes of tag: nothing is checked
 * against a schema.
 */
#pragma once
#include "base/err.h"
#include "base/str.h"

#define SB_PB_DEPTH 12
struct sb_pb {
    uint8_t *at;
    size_t n, cap;
    size_t open[SB_PB_DEPTH]; /* offset of the length byte of each open message */
    unsigned depth;
};

void sb_pb_close(struct sb_pb *b);
void sb_pb_grow(struct sb_pb *b, size_t more);
void sb_pb_widen(struct sb_pb *b, size_t at, size_t size); /* the length byte at `at` becomes a varint */
void sb_pb_fixed64(struct sb_pb *b, unsigned field, uint64_t v);
void sb_pb_str(struct sb_pb *b, unsigned field, struct sb_str s); /* invalid UTF-8 becomes U+FFFD */

/* The rest is inline: with a constant field a tag is a constant, and a packet a handful of stores. */
enum { SB_PB_VARINT, SB_PB_FIXED64, SB_PB_BYTES };
#define SB_PB_VARINT_MAX 10

static inline void
sb_pb_reserve(struct sb_pb *b, size_t more)
{
    if (b->n + more > b->cap)
        sb_pb_grow(b, more);
}

static inline uint8_t *
sb_pb_put_varint(uint8_t *to, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *to++ = (uint8_t)(v | 0x80);
    *to++ = (uint8_t)v;
    return to;
}

static inline uint8_t *
sb_pb_put_tag(uint8_t *to, unsigned field, unsigned wire)
{
    return sb_pb_put_varint(to, (uint64_t)field << 3 | wire);
}

static inline void
sb_pb_varint(struct sb_pb *b, uint64_t v) /* bare: an element of packed numbers */
{
    sb_pb_reserve(b, SB_PB_VARINT_MAX);
    b->n = (size_t)(sb_pb_put_varint(b->at + b->n, v) - b->at);
}

static inline void
sb_pb_u64(struct sb_pb *b, unsigned field, uint64_t v)
{
    sb_pb_reserve(b, 2 * SB_PB_VARINT_MAX);
    b->n = (size_t)(sb_pb_put_varint(sb_pb_put_tag(b->at + b->n, field, SB_PB_VARINT), v) - b->at);
}

static inline void
sb_pb_i64(struct sb_pb *b, unsigned field, int64_t v) /* int64: not zig-zag */
{
    sb_pb_u64(b, field, (uint64_t)v);
}

static inline void
sb_pb_begin(struct sb_pb *b, unsigned field) /* a message, or packed numbers */
{
    SB_ASSERT(b->depth < SB_PB_DEPTH);
    sb_pb_reserve(b, SB_PB_VARINT_MAX + 1);
    b->n = (size_t)(sb_pb_put_tag(b->at + b->n, field, SB_PB_BYTES) - b->at);
    b->open[b->depth++] = b->n++;
}

static inline void
sb_pb_end(struct sb_pb *b)
{
    SB_ASSERT(b->depth > 0);
    size_t at = b->open[--b->depth], size = b->n - at - 1;
    if (size < 0x80)
        b->at[at] = (uint8_t)size;
    else
        sb_pb_widen(b, at, size);
}
