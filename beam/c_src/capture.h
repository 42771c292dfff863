/*
 * The capture of one node: the mapped rings, the threads that write them, and a way to stop without a lock.
 *
 * A thread of the VM gets a seat for life at its first event. During a recording a seat has a writer (its
 * ring), and the thread marks itself `inside` around each record. Stopping makes `generation` even, issues a
 * barrier in all threads (membarrier) and waits until no thread is inside: then the rings may be unmapped.
 * The event path itself has no lock, no fence, no allocation.
 */
#pragma once
#include "worker.h"

struct ring_sizes {
    unsigned n_large, n_small;
    uint32_t large_bytes, small_bytes, chunk_large, chunk_small;
    uint64_t dict_bytes;
};

/* Returns NULL, or the operation that failed (see errno). An empty path maps memory instead, to measure
 * the cost. */
const char *capture_open(const char *path, const struct ring_sizes *sizes);
unsigned capture_cost(void);
void capture_begin(void);
void capture_halt(void);           /* stops recording */
bool capture_quiet(void);          /* true if no thread is inside */
void capture_close(bool finished); /* unmaps; `finished` marks the rings as complete for the drain */
/* Stops recording and marks the rings as complete, without unmapping them; any thread may call it. False: this is
 * not the open capture. */
bool capture_abandon(uint64_t number);
/* For the first event after a rest: wakes the session and the drain, if they sleep. */
void capture_end_rest(ErlNifEnv *env, int64_t now_ns);
bool capture_hide(ERL_NIF_TERM pid);               /* false: the table is full */
struct worker *capture_seat(unsigned event_class); /* the slow path of capture_enter */

struct seat *capture_my_seat(void);
extern __thread struct seat *my_seat;

static inline bool
capture_is_hidden(ERL_NIF_TERM pid)
{
    return hidden_has(&capture.hidden, pid, layout_place(pid));
}

/* Returns the worker of the thread, to be followed by capture_leave; NULL: the event is not recorded. */
static inline struct worker *
capture_enter(unsigned event_class)
{
    struct seat *s = my_seat;
    if (__builtin_expect(!s, 0) && !(s = capture_my_seat()))
        return NULL;
    atomic_store_explicit(&s->inside, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    uint64_t g = atomic_load_explicit(&capture.generation, memory_order_acquire);
    struct worker *w = s->worker; /* NULL until a recording has begun */
    return __builtin_expect(g == s->generation && w, 1) ? w : capture_seat(event_class);
}

static inline void
capture_leave(struct worker *w)
{
    atomic_store_explicit(&w->seat->inside, 0, memory_order_release);
}
