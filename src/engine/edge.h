/* Who sent how much to whom: a message as its receiver's part notes it, and what all of a pair come to. edges.h says
 * what is done with them. */
#ifndef SB_ENGINE_EDGE_H
#define SB_ENGINE_EDGE_H
#include <stddef.h>
#include <stdint.h>

struct sb_talk { /* a message that has left its queue */
    uint32_t sender, receiver;
    int64_t at, took; /* took: SB_NEVER_TAKEN, or how long */
    uint64_t words, ext;
};
struct sb_talks {
    struct sb_talk *at;
    size_t n, cap;
};

struct sb_edge { /* message_edge */
    uint32_t sender, receiver;
    uint64_t count, words, max_words, ext, matched;
    int64_t latency, max_latency, first, last;
};

static inline uint64_t
sb_edge_pair(uint32_t sender, uint32_t receiver)
{
    return (uint64_t)sender << 32 | receiver;
}

/* Two edges of one pair. */
static inline void
sb_edge_add(struct sb_edge *sum, const struct sb_edge *e)
{
    sum->first = e->first < sum->first ? e->first : sum->first;
    sum->last = e->last > sum->last ? e->last : sum->last;
    sum->count += e->count;
    sum->words += e->words;
    sum->max_words = e->max_words > sum->max_words ? e->max_words : sum->max_words;
    sum->ext += e->ext;
    sum->matched += e->matched;
    sum->latency += e->latency;
    sum->max_latency = e->max_latency > sum->max_latency ? e->max_latency : sum->max_latency;
}

#endif
