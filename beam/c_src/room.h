/*
 * Whether the heap of a process has room for the tuple in which the VM names the function of a context switch. Where
 * it has none the VM allocates a heap fragment, although a built-in function may be in the middle of its result: one
 * that is scheduled out while it fills a fragment (binary:split/3) later cuts the newest fragment instead of its own,
 * and the VM ends. This holds for any tracer: OTP 25.2, 27 and 29 ended so.
 *
 * A careful recording therefore records a switch without room when the VM asks whether it is traced, and the VM builds
 * no tuple. That of a system in production always is, any other one where functions can be found without the tuple. A
 * process that allocates nothing fills its heap with these tuples alone, and is never collected: all its later
 * switches are recorded in this way. Their function is the one in which the VM itself finds the place where the
 * process continues. A process that hibernates has no free word and a place outside of functions. Of a process within
 * another built-in function, and where the VM exports no such look-up, the function is unknown.
 *
 *     words of a process    heap ... top ... stop ... end
 *                            |used    |free    |stack  |
 *
 * The place of these words is learned from processes whose sizes are known, and that of the word with the place in the
 * code from the function in which they wait. That needs the VM's look-up of processes, which the VM of OTP 29 does not
 * export. Where the room is unknown, no heap has any.
 */
#pragma once
#include <erl_nif.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROOM_WORDS = 12 }; /* the tuple, and what the VM keeps free above the stack */

/* The VM's own look-up of a process: it takes no lock where no lock is wanted, and finds no process that exits. */
typedef void *room_finder(void *self, uint32_t held, ERL_NIF_TERM pid, uint32_t wanted, int flags);

/* A function as the VM keeps it, and the VM's own look-up of the one that a place in the code belongs to. */
struct room_function {
    ERL_NIF_TERM module, function;
    uint64_t arity;
};
typedef const struct room_function *room_function_finder(uint64_t place);

struct room {
    room_finder *find;  /* NULL: the room is unknown */
    unsigned top, stop; /* words of a process */
    bool careful;
    room_function_finder *find_function; /* NULL: functions are unknown */
    unsigned place;                      /* word of a process: where in the code it continues */
    uint64_t hibernates_at;              /* there, if it hibernates; 0: unknown */
    struct room_function hibernates;
};

/* Learns from {IsCareful, Waiting, Hibernating}, lists of {Pid, WordsOfHeapBlock, WordsUsed, WordsOfStack, {M, F, A}}
 * with processes that wait in this function. */
void room_learn(ErlNifEnv *env, ERL_NIF_TERM probe, struct room *room);

/* For a process that is scheduled in or out by this thread; NULL: unknown. A new process is scheduled in where others
 * hibernate. */
static inline const struct room_function *
room_function(const struct room *room, ERL_NIF_TERM pid, bool out)
{
    const uint64_t *word = room->find_function ? room->find(NULL, 0, pid, 0, 0) : NULL;
    if (!word)
        return NULL;
    bool hibernates = out && room->hibernates_at && word[room->place] == room->hibernates_at;
    return hibernates ? &room->hibernates : room->find_function(word[room->place]);
}

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
