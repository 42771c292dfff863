/*
 * The state of a capture: what all threads share, and what each thread has of its own. capture.h says how a
 * thread enters and leaves it.
 */
#pragma once
#include "clock.h"
#include "filter.h"
#include "hidden.h"
#include "receivers.h"
#include "rest.h"
#include "trace/sbt/ring_write.h"

enum {
    SEATS_MAX = 4096,
    CACHE_MFA = 1024,
    CACHE_ATOM = 256,
    CACHE_ACTOR = 256,
    CACHE_FUN = 64,
    CACHE_HASH = 128
};
enum { APART = 2 * SB_CACHE_LINE };

struct dict_slot { /* of a worker's cache in front of the dictionary (dict.h) */
    ERL_NIF_TERM m, f;
    uint32_t arity, id; /* a worker's cache of functions has the word of the arity */
    /* only for functions, and only in a worker's cache: records that refer to it, and whether only.h lists it */
    uint32_t count;
    bool listed;
};
struct seat;
struct worker { /* the state of a thread during one capture */
    _Alignas(APART) struct thread_clock clock;
    struct seat *seat;
    struct filter_text printed; /* output of a filter for this event */
    ERL_NIF_TERM far;           /* the first pid of another node in the message that was measured; 0: none */
    _Alignas(SB_CACHE_LINE) struct sb_ring_writer writer;
    struct dict_slot mfa[CACHE_MFA], atom[CACHE_ATOM];
    struct dict_slot fun[CACHE_FUN]; /* m: the word that identifies the fun */
    struct actor_slot {
        ERL_NIF_TERM word;
        sb_actor actor;
    } actor[CACHE_ACTOR]; /* local pids, ports and registered names: their words are valid for life */
    struct hash_slot {
        ERL_NIF_TERM word;
        uint64_t hash;
    } hash[CACHE_HASH]; /* of atoms and local pids in messages */
    struct receivers mail;
    _Atomic ERL_NIF_TERM runs; /* the process that was last scheduled in here; 0: none */
};

struct seat { /* one per thread, for life */
    _Alignas(APART) _Atomic uint32_t inside;
    uint64_t generation;
    struct worker *worker; /* of that generation; NULL: no ring was left */
};

/* What one thread writes for an event shares no cache line with what another thread writes. Lines are fetched in
 * pairs. The first fields of struct capture are read for each event, and written a hundred times a second at most. */
_Static_assert(sizeof(struct worker) % APART == 0 && sizeof(struct seat) % APART == 0,
               "threads share a line");

struct dict;
struct capture {
    _Atomic uint64_t generation; /* odd while recording */
    struct rest rest;
    _Atomic(struct filters *) filters; /* NULL: no filter, everything is recorded */
    struct layout layout;
    struct hidden hidden;
    struct sb_rings *rings; /* NULL while no capture is open */
    int file;               /* of the rings; -1: they are in memory */
    bool sparse;            /* parts of the file are allocated with their first use */
    uint64_t opened;        /* captures so far */
    uint64_t bytes;
    struct worker *workers; /* one per ring */
    unsigned n_large, n_rings;
    _Atomic unsigned next_large, next_small, seats;
    _Atomic int users; /* loaded copies of the module */
    struct dict *dict;
    struct clock clock;
    struct seat seat[SEATS_MAX];
};
extern struct capture capture; /* one per VM: the tracer's callbacks get no other pointer to their state */
