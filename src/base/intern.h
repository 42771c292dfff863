/* Interned texts: bytes <-> dense ids. Id 0 is the empty text. One writer at a time; ids never change. */
#pragma once
#include "base/arena.h"

struct sb_intern {
    struct sb_arena arena;
    struct sb_str *text;
    uint64_t *hash;
    uint32_t *slot; /* id + 1 */
    size_t n, cap, slots;
};

void sb_intern_init(struct sb_intern *t);
void sb_intern_close(struct sb_intern *t);
uint32_t sb_intern_put(struct sb_intern *t, struct sb_str s);
bool sb_intern_find(const struct sb_intern *t, struct sb_str s, uint32_t *id);
static inline struct sb_str
sb_intern_text(const struct sb_intern *t, uint32_t id)
{
    return id < t->n ? t->text[id] : (struct sb_str){0};
}
