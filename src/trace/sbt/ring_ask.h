/*
 * How a flight recorder is asked for a snapshot: by slots in the first page of its rings. A process of the node, or a
 * program on the same machine, writes the reason into a free slot; the drain writes the trace and answers with its
 * path, or with what went wrong. Neither side waits for the other.
 *
 *     FREE ──claim──> TAKEN ──text──> ASKED ──drain──> SEEN ──> WRITTEN or FAILED ──read──> FREE
 *
 * The drain in turn asks for the stacks of processes that a condition is about (`wanted`). The node takes each and
 * sends its stack as a request, which has no answer.
 */
#pragma once
#include "trace/sbt/ring.h"

enum { SB_ASKS = 3, SB_WANTED = 2, SB_ASK_WHY = 240, SB_ASK_TEXT = 900, SB_ASK_AT = 512 };
enum sb_ring_ask_state {
    SB_ASK_FREE,
    SB_ASK_TAKEN,
    SB_ASK_ASKED,
    SB_ASK_SEEN,
    SB_ASK_WRITTEN,
    SB_ASK_FAILED
};
enum sb_ring_ask_kind {
    SB_ASK_SNAPSHOT,
    SB_ASK_TRIGGER, /* of the node, which may be held off; it has no answer */
    SB_ASK_STACK,   /* `why` is it */
};
/* sb_rings.flight, written by the drain. FORGOT: the recorder before was killed, so the node is to record again which
 * processes exist. */
enum sb_rings_flight { SB_FLIGHT_NONE, SB_FLIGHT_ON, SB_FLIGHT_FORGOT };

struct sb_ring_ask {
    _Atomic uint32_t state; /* enum sb_ring_ask_state */
    uint32_t kind;          /* enum sb_ring_ask_kind */
    int64_t at_ns;          /* time of the request */
    char why[SB_ASK_WHY];   /* all texts are NUL-terminated */
    char text[SB_ASK_TEXT]; /* the path of the trace, asked for (empty: any) or written; or the error */
};
struct sb_ring_asks {
    _Atomic uint32_t asked; /* grows with each request */
    uint32_t pad;
    struct sb_ring_ask ask[SB_ASKS];
    _Atomic uint64_t wanted[SB_WANTED]; /* sb_actor of a process of the node; 0: none */
};
_Static_assert(sizeof(struct sb_rings) <= SB_ASK_AT &&
                   SB_ASK_AT + sizeof(struct sb_ring_asks) <= SB_RING_PAGE,
               "the requests are in the first page");

static inline struct sb_ring_asks *
sb_ring_asks_of(struct sb_rings *r)
{
    return (struct sb_ring_asks *)((uint8_t *)r + SB_ASK_AT);
}

/* Returns the number of the slot; -1: all are in use. Texts that are too long are cut. */
int sb_ring_ask(struct sb_rings *r, enum sb_ring_ask_kind kind, int64_t at_ns, const char *why,
                const char *path);
void sb_ring_reply(struct sb_rings *r, int slot, enum sb_ring_ask_state state,
                   const char *text); /* by the drain */
/* Copies the text of an answer and frees the slot; returns its state, SB_ASK_SEEN while there is no answer. */
enum sb_ring_ask_state sb_ring_answer(struct sb_rings *r, int slot, char text[SB_ASK_TEXT]);
void sb_ring_leave(struct sb_rings *r, int slot); /* gives up a request */
