/*
 * Writes Thrift's compact protocol, the encoding of Parquet's headers and footer. Fields of a struct must be
 * in ascending order; structs and lists of structs are begun and ended. Use from one thread at a time.
 */
#pragma once
#include "base/file.h"

enum sb_thrift_type {
    SB_THRIFT_I32 = 5,
    SB_THRIFT_I64,
    SB_THRIFT_BINARY = 8,
    SB_THRIFT_LIST,
    SB_THRIFT_STRUCT = 12
};

#define SB_THRIFT_DEPTH 8
struct sb_thrift {
    struct sb_out *out;
    int last[SB_THRIFT_DEPTH]; /* the previous field, at each depth */
    unsigned depth;
};

void sb_thrift_open(struct sb_thrift *t, struct sb_out *out); /* begins the outermost struct */
void sb_thrift_begin(struct sb_thrift *t, int field);         /* a struct */
void sb_thrift_end(struct sb_thrift *t);                      /* also ends the outermost */
void sb_thrift_i32(struct sb_thrift *t, int field, int32_t v);
void sb_thrift_i64(struct sb_thrift *t, int field, int64_t v);
void sb_thrift_str(struct sb_thrift *t, int field, struct sb_str s);
void sb_thrift_list(struct sb_thrift *t, int field, enum sb_thrift_type of,
                    uint32_t n); /* n elements follow, bare: */
void sb_thrift_item_begin(struct sb_thrift *t);
void sb_thrift_item_i32(struct sb_thrift *t, int32_t v);
void sb_thrift_item_str(struct sb_thrift *t, struct sb_str s);
