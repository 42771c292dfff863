#include "trace/sbt/ring_ask.h"
#include <string.h>

static void
copy(char *to, size_t room, const char *from)
{
    size_t n = strlen(from);
    n = n < room ? n : room - 1;
    memcpy(to, from, n);
    to[n] = 0;
}

int
sb_ring_ask(struct sb_rings *r, enum sb_ring_ask_kind kind, int64_t at_ns, const char *why, const char *path)
{
    struct sb_ring_asks *asks = sb_ring_asks_of(r);
    for (int i = 0; i < SB_ASKS; i++) {
        struct sb_ring_ask *a = &asks->ask[i];
        uint32_t is = SB_ASK_FREE;
        if (!atomic_compare_exchange_strong(&a->state, &is, SB_ASK_TAKEN))
            continue;
        a->kind = kind;
        a->at_ns = at_ns;
        copy(a->why, sizeof a->why, why);
        copy(a->text, sizeof a->text, path);
        atomic_store_explicit(&a->state, SB_ASK_ASKED, memory_order_release);
        atomic_fetch_add(&asks->asked, 1);
        return i;
    }
    return -1;
}

void
sb_ring_reply(struct sb_rings *r, int slot, enum sb_ring_ask_state state, const char *text)
{
    struct sb_ring_ask *a = &sb_ring_asks_of(r)->ask[slot];
    copy(a->text, sizeof a->text, text);
    atomic_store_explicit(&a->state, state, memory_order_release);
}

enum sb_ring_ask_state
sb_ring_answer(struct sb_rings *r, int slot, char text[SB_ASK_TEXT])
{
    struct sb_ring_ask *a = &sb_ring_asks_of(r)->ask[slot];
    uint32_t is = atomic_load_explicit(&a->state, memory_order_acquire);
    if (is != SB_ASK_WRITTEN && is != SB_ASK_FAILED)
        return SB_ASK_SEEN;
    memcpy(text, a->text, SB_ASK_TEXT);
    text[SB_ASK_TEXT - 1] = 0;
    atomic_store_explicit(&a->state, SB_ASK_FREE, memory_order_release);
    return (enum sb_ring_ask_state)is;
}

/* A request that the drain has seen is answered all the same; the drain frees such a slot later. */
void
sb_ring_leave(struct sb_rings *r, int slot)
{
    uint32_t is = SB_ASK_ASKED;
    atomic_compare_exchange_strong(&sb_ring_asks_of(r)->ask[slot].state, &is, SB_ASK_FREE);
}
