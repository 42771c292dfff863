/* Messages by pair of processes: a message as its receiver's part notes it, and the sum of a pair. edges.h
 * explains their use. Both begin with their pair. */
#pragma once
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

/* a message that has left its queue, if its numbers fit and its size is exact; other messages become an
 * edge of one */
struct sb_talk {
    uint32_t sender, receiver;
    int64_t at;
    uint32_t took; /* time from send to receive, or SB_NOT_TAKEN */
    uint16_t words, ext;
};
#define SB_NOT_TAKEN UINT32_MAX

struct sb_edge { /* a row of message_edge */
    uint32_t sender, receiver;
    uint64_t count, words, max_words, ext, matched, at_least;
    int64_t latency, max_latency, first, last;
};

struct sb_edge_notes { /* notes on some pairs, in any order */
    SB_VEC(struct sb_talk) talks;
    SB_VEC(struct sb_edge) edges;
};

/* A pair with a recent message: its next messages are added up at once. */
enum { SB_WARM_PAIRS = 64 };
struct sb_warm_pair {
    uint64_t pair; /* 0: none */
    uint32_t edge; /* 1 + its index among the edges; 0: no edge yet */
};

static inline void
sb_edge_notes_free(struct sb_edge_notes *v)
{
    SB_VEC_FREE(&v->talks);
    SB_VEC_FREE(&v->edges);
}

static inline uint64_t
sb_edge_pair(uint32_t sender, uint32_t receiver)
{
    return (uint64_t)sender << 32 | receiver;
}

enum { SB_NEVER_TAKEN = -1 };
/* Adds a message to the pair's edge. */
static inline void
sb_edge_add_one(struct sb_edge *sum, int64_t at, int64_t took_ns, uint64_t words, uint64_t ext, bool at_least)
{
    sum->first = at < sum->first ? at : sum->first;
    sum->last = at > sum->last ? at : sum->last;
    sum->count++;
    sum->words += words;
    sum->at_least += at_least;
    sum->max_words = words > sum->max_words ? words : sum->max_words;
    sum->ext += ext;
    if (took_ns == SB_NEVER_TAKEN)
        return;
    sum->matched++;
    sum->latency += took_ns;
    sum->max_latency = took_ns > sum->max_latency ? took_ns : sum->max_latency;
}
static inline struct sb_edge /* of no message yet */
sb_edge_begin(uint32_t sender, uint32_t receiver, int64_t at)
{
    return (struct sb_edge){.sender = sender, .receiver = receiver, .first = at, .last = at};
}
static inline struct sb_edge
sb_edge_of(const struct sb_talk *t)
{
    struct sb_edge e = sb_edge_begin(t->sender, t->receiver, t->at);
    sb_edge_add_one(&e, t->at, t->took == SB_NOT_TAKEN ? SB_NEVER_TAKEN : (int64_t)t->took, t->words, t->ext,
                    false);
    return e;
}

/* Adds two edges of one pair. */
static inline void
sb_edge_add(struct sb_edge *sum, const struct sb_edge *e)
{
    sum->first = e->first < sum->first ? e->first : sum->first;
    sum->last = e->last > sum->last ? e->last : sum->last;
    sum->count += e->count;
    sum->words += e->words;
    sum->at_least += e->at_least;
    sum->max_words = e->max_words > sum->max_words ? e->max_words : sum->max_words;
    sum->ext += e->ext;
    sum->matched += e->matched;
    sum->latency += e->latency;
    sum->max_latency = e->max_latency > sum->max_latency ? e->max_latency : sum->max_latency;
}
