#include "export/protobuf.h"
#include "base/utf8.h"
#include "base/vec.h"

void
sb_pb_close(struct sb_pb *b)
{
    free(b->at);
    *b = (struct sb_pb){0};
}

void
sb_pb_grow(struct sb_pb *b, size_t more)
{
    b->at = sb_vec_grow(b->at, b->n + more, &b->cap, 1);
}

void
sb_pb_widen(struct sb_pb *b, size_t at, size_t size)
{
    uint8_t length[SB_PB_VARINT_MAX];
    size_t wide = (size_t)(sb_pb_put_varint(length, size) - length);
    sb_pb_reserve(b, wide);
    memmove(b->at + at + wide, b->at + at + 1, size);
    memcpy(b->at + at, length, wide);
    b->n += wide - 1;
}

void
sb_pb_fixed64(struct sb_pb *b, unsigned field, uint64_t v)
{
    sb_pb_reserve(b, SB_PB_VARINT_MAX + 8);
    uint8_t *to = sb_pb_put_tag(b->at + b->n, field, SB_PB_FIXED64);
    for (unsigned i = 0; i < 8; i++)
        *to++ = (uint8_t)(v >> 8 * i);
    b->n = (size_t)(to - b->at);
}

void
sb_pb_str(struct sb_pb *b, unsigned field, struct sb_str s)
{
    sb_pb_begin(b, field);
    while (s.n > 0) {
        uint32_t c;
        size_t step = sb_utf8_get(s.p, s.n, &c);
        struct sb_str piece = step ? (struct sb_str){s.p, step} : SB_STR("\xef\xbf\xbd");
        sb_pb_reserve(b, piece.n);
        memcpy(b->at + b->n, piece.p, piece.n);
        b->n += piece.n;
        s = sb_str_sub(s, step ? step : 1, s.n);
    }
    sb_pb_end(b);
}
