/*
 * A row of each table before it is written: struct sb_slice_row and so on, with cells as in schema.def. A
 * cell takes 4 bytes, a time 8. Rows are filled in place, in their list (rows.h).
 */
#pragma once
#include "profile/schema.h"

enum { SB_ROW_MOST = 64 /* cells */, SB_ROW_WORDS_MOST = 64 };
#define SB_NO_NUMBER UINT32_MAX                     /* a cell that is NULL */
#define SB_FAR (SB_NO_NUMBER - (UINT32_C(1) << 28)) /* SB_FAR + i: number i of sb_rows.far */

typedef int64_t sb_stamp __attribute__((aligned(4)));

#define SB_CELL_NONE uint32_t
#define SB_CELL_NS uint32_t
#define SB_CELL_AT_NS sb_stamp
#define SB_CELL_WORDS uint32_t
#define SB_CELL_BYTES uint32_t
#define SB_CELL_COUNT uint32_t
#define SB_CELL_PPM uint32_t
#define SB_CELL_ID uint32_t
#define COL(name, type, unit, doc) SB_CELL_##unit name;
#define TABLE(name, cluster, doc, ...) \
    struct sb_##name##_row { \
        __VA_ARGS__ \
    };
#include "profile/schema.def"
#undef TABLE
#undef COL

static inline unsigned
sb_row_words(enum sb_tab t) /* in units of 4 bytes */
{
    static const uint8_t words[] = {
#define COL(...)
#define TABLE(name, ...) sizeof(struct sb_##name##_row) / sizeof(uint32_t),
#include "profile/schema.def"
#undef TABLE
#undef COL
    };
    return words[t];
}

static inline uint32_t
sb_cell_id(uint32_t id) /* 0: NULL */
{
    return id ? id : SB_NO_NUMBER;
}
