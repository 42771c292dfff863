#include "export/thrift.h"

static void
put_varint(struct sb_thrift *t, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        sb_out_char(t->out, (char)(v | 0x80));
    sb_out_char(t->out, (char)v);
}

static void
put_zigzag(struct sb_thrift *t, int64_t v)
{
    put_varint(t, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static void
put_field(struct sb_thrift *t, int field, enum sb_thrift_type type)
{
    int *last = &t->last[t->depth], delta = field - *last;
    SB_ASSERT(delta > 0 && delta < 16);
    sb_out_char(t->out, (char)(delta << 4 | (int)type));
    *last = field;
}

static void
enter(struct sb_thrift *t)
{
    SB_ASSERT(t->depth + 1 < SB_THRIFT_DEPTH);
    t->last[++t->depth] = 0;
}

void
sb_thrift_open(struct sb_thrift *t, struct sb_out *out)
{
    *t = (struct sb_thrift){.out = out};
}

void
sb_thrift_begin(struct sb_thrift *t, int field)
{
    put_field(t, field, SB_THRIFT_STRUCT);
    enter(t);
}

void
sb_thrift_end(struct sb_thrift *t)
{
    sb_out_char(t->out, 0);
    if (t->depth > 0)
        t->depth--;
}

void
sb_thrift_i32(struct sb_thrift *t, int field, int32_t v)
{
    put_field(t, field, SB_THRIFT_I32);
    put_zigzag(t, v);
}

void
sb_thrift_i64(struct sb_thrift *t, int field, int64_t v)
{
    put_field(t, field, SB_THRIFT_I64);
    put_zigzag(t, v);
}

void
sb_thrift_str(struct sb_thrift *t, int field, struct sb_str s)
{
    put_field(t, field, SB_THRIFT_BINARY);
    sb_thrift_item_str(t, s);
}

void
sb_thrift_list(struct sb_thrift *t, int field, enum sb_thrift_type of, uint32_t n)
{
    put_field(t, field, SB_THRIFT_LIST);
    sb_out_char(t->out, (char)((n < 15 ? n : 15) << 4 | of));
    if (n >= 15)
        put_varint(t, n);
}

void
sb_thrift_item_begin(struct sb_thrift *t)
{
    enter(t);
}

void
sb_thrift_item_i32(struct sb_thrift *t, int32_t v)
{
    put_zigzag(t, v);
}

void
sb_thrift_item_str(struct sb_thrift *t, struct sb_str s)
{
    put_varint(t, s.n);
    sb_out_str(t->out, s);
}
