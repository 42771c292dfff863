/*
 * The answer of a route: named tables and a few facts, written as one block of bytes that the page reads
 * without parsing (web/src/lib/table.ts decodes it), or as JSON for people and tests:
 *
 *     "SBC2" | u32 bytes of the header | header (JSON, padded to 8) | columns, each on a multiple of 8
 *
 * An integer column is stored in 1, 2 or 4 bytes a value where its range allows: base + (stored << shift),
 * all ones is NULL; else in 64-bit floats (nanoseconds stay exact up to 104 days), NULL as NaN. Texts are
 * indices, of the stated width, into the header's list of that column, 0 is NULL. Integers beyond 2^53 are
 * sent as texts too ("digits"). Lives as long as its arena; one thread at a time.
 */
#pragma once
#include "base/table.h"

#define SB_REPLY_TABLES 16
#define SB_REPLY_FACTS 40

struct sb_fact {
    const char *key;
    enum { SB_FACT_INT, SB_FACT_TEXT, SB_FACT_BOOL } type;
    union sb_cell value;
};

struct sb_reply {
    struct sb_arena *arena;
    size_t n_tables, n_facts;
    struct {
        const char *name;
        struct sb_table table;
    } at[SB_REPLY_TABLES];
    struct sb_fact fact[SB_REPLY_FACTS];
};

void sb_reply_init(struct sb_reply *r, struct sb_arena *a);
struct sb_table *sb_reply_table(struct sb_reply *r, const char *name, const struct sb_column *columns,
                                size_t n);
/* a table that the caller fills, such as that of an answer or a statement */
struct sb_table *sb_reply_room(struct sb_reply *r, const char *name);
void sb_reply_int(struct sb_reply *r, const char *key, int64_t v); /* SB_NULL is null */
void sb_reply_text(struct sb_reply *r, const char *key, struct sb_str v);
void sb_reply_bool(struct sb_reply *r, const char *key, bool v);

void sb_reply_write(const struct sb_reply *r, struct sb_out *out);
void sb_reply_write_json(const struct sb_reply *r, struct sb_out *out);
