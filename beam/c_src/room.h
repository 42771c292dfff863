/*
 * Whether the heap of a process has room for the tuple in which the VM names the function of a context switch. Where
 * it has none the VM allocates a heap fragment, although a built-in function may be in the middle of its result: one
 * that is scheduled out while it fills a fragment (binary:split/3) later cuts the newest fragment instead of its own,
 * and the VM ends. This holds for any tracer: OTP 25.2, 27 and 29 ended so.
 *
 * A careful recording, that of a system in production, therefore records a switch without room when the VM asks
 * whether it is traced, and the VM builds no tuple. The price is the function of that switch. A process that computes
 * and allocates nothing fills its heap with these tuples alone, and is never collected: its later switches all lack
 * their function. Other recordings keep the function and the risk.
 *
 *     words of a process    heap ... top ... stop ... end
 *                            |used    |free    |stack  |
 *
 * The place of these words is learned from processes whose sizes are known. That needs the VM's look-up of processes,
 * which the VM of OTP 29 does not export. Where the room is unknown, no heap has any.
 */
#ifndef STROBE_ROOM_H
#define STROBE_ROOM_H
#include <erl_nif.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROOM_WORDS = 12 }; /* the tuple, and what the VM keeps free above the stack */

/* The VM's own look-up of a process: it takes no lock where no lock is wanted, and finds no process that exits. */
typedef void *room_finder(void *self, uint32_t held, ERL_NIF_TERM pid, uint32_t wanted, int flags);

struct room {
    room_finder *find;  /* NULL: the room is unknown */
    unsigned top, stop; /* words of a process */
    bool careful;
};

/* Learns from {IsCareful, [{Pid, WordsOfHeapBlock, WordsUsed, WordsOfStack}]} with processes that wait. */
void room_learn(ErlNifEnv *env, ERL_NIF_TERM probe, struct room *room);

/* For the process that is scheduled in or out by this thread. A process that exits needs no room. */
static inline bool
room_has(const struct room *room, ERL_NIF_TERM pid)
{
    if (!room->careful)
        return true;
    if (!room->find)
        return false;
    const uint64_t *word = room->find(NULL, 0, pid, 0, 0);
    return !word ||
           (int64_t)(word[room->stop] - word[room->top]) >= ROOM_WORDS * (int64_t)sizeof(ERL_NIF_TERM);
}

#endif
