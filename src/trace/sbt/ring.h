/*
 * The shared memory between a traced node and strobe-drain: one file, mapped as a whole. Each part of it is allocated
 * before it is used: in shared memory with its first use and soon after the start, elsewhere before it is mapped.
 *
 *     ┌────────┬──────────────┬────────────┬────────┬────────┬─
 *     │ header │ ring, ring.. │ dictionary │ chunks of ring 0 │ chunks of ring 1 ...
 *     └────────┴──────────────┴────────────┴────────┴────────┴─
 *
 * A ring belongs to one thread of the node, its only writer; strobe-drain is its only reader. A ring is
 * divided into chunks that can be decoded alone: the head of a chunk holds the absolute time, the thread and
 * the events dropped before it, and no record refers to an earlier chunk. Chunk n occupies slot n mod
 * n_chunks. The writer opens chunk n only after the reader has released chunk n - n_chunks; until then it
 * counts drops. Neither side ever waits.
 *
 * Records survive a crash of either side: the file holds every record that `published` covers.
 */
#pragma once
#include "trace/event.h"
#include <stdatomic.h>

#define SB_RING_MAGIC 0x31474e4952425453u /* "STBRING1" */
#define SB_CHUNK_MAGIC 0x4b4e4843u        /* "CHNK" */
#define SB_RING_PAGE 4096u
#define SB_KINDS_MAX 64u   /* the kind is six bits of the first byte of a record */
#define SB_CLASSES_MAX 16u /* capacity for enum sb_class */
_Static_assert((unsigned)SB_EVENT_KINDS <= SB_KINDS_MAX && (unsigned)SB_CLASSES <= SB_CLASSES_MAX,
               "event.def outgrew the format");

enum sb_ring_state {
    SB_RINGS_OPEN,   /* allocated; nothing recorded yet */
    SB_RINGS_ON,     /* recording */
    SB_RINGS_CLOSED, /* the node has stopped: no thread writes any longer */
    SB_RINGS_DONE,   /* the trace file is complete */
};

enum sb_stop_reason { SB_STOP_NONE, SB_STOP_TIME, SB_STOP_EVENTS, SB_STOP_BYTES, SB_STOP_DISK, SB_STOP_USER };

enum { SB_DRAINED_WHOLE = 2 }; /* the trace holds everything that was in the rings */

struct sb_rings { /* page 0 */
    uint64_t magic;
    uint32_t version, n_rings;
    uint64_t total_bytes, dict_at, dict_bytes;
    /* SB_EVENT_KINDS of the writer; another number means another version */
    uint32_t os_pid, event_kinds;
    int64_t start_ns;
    _Atomic uint32_t state;     /* enum sb_ring_state, written by the node */
    _Atomic uint32_t drained;   /* written by the drain: 1 while attached, or SB_DRAINED_WHOLE */
    _Atomic uint32_t stop;      /* enum sb_stop_reason: the drain requests the end of the recording */
    _Atomic uint32_t flight;    /* written by the drain: whether it is a flight recorder, see ring_ask.h */
    _Atomic uint64_t dict_used; /* bytes of whole entries */
    _Atomic uint64_t dropped[SB_CLASSES_MAX]; /* events of threads without a ring */
    /* 1 while the node records nothing; its next event ends that, and changes the times of the file, which wakes a
     * drain that watches it */
    _Atomic uint32_t asleep;
    _Atomic int64_t begun_ns; /* when the tracing was switched on; 0: not yet */
};

struct sb_ring { /* one page each, starting at SB_RING_PAGE */
    uint64_t data_at;
    uint32_t chunk_bytes, n_chunks;
    _Atomic uint32_t claimed;
    _Atomic uint16_t lane;
    uint16_t pad[3];
    _Atomic uint64_t head;        /* chunks opened; chunk head - 1 is open */
    _Atomic int64_t gap_from_ns;  /* start of the current run of drops; SB_AT_UNKNOWN: none */
    uint64_t kinds[SB_KINDS_MAX]; /* records written, by kind */
    _Atomic uint64_t
        /* events not written, by class, including those already in a chunk's head */
        dropped[SB_CLASSES_MAX];
    _Alignas(64) _Atomic uint64_t tail; /* written by the reader: chunks released */
    uint64_t reported[SB_CLASSES_MAX];  /* written by the reader: drops in the heads of its chunks */
};

/* No two threads of the node write to one cache line: each ring has pages and chunks of its own. The reader
 * writes to a line of its own within the page, from `tail` on. */
#define SB_CACHE_LINE 64
_Static_assert(SB_RING_PAGE % SB_CACHE_LINE == 0 && sizeof(struct sb_ring) <= SB_RING_PAGE,
               "rings share a page");
_Static_assert(offsetof(struct sb_ring, tail) % SB_CACHE_LINE == 0,
               "the reader shares a line with the writer");

/* In the page of the first ring, behind its counters: the path of the trace, NUL-terminated, so that whoever finds
 * rings that were left finds their trace. Written by the drain, and by the recorder that renames the trace. */
enum { SB_RINGS_TRACE_AT = SB_RING_PAGE + 2048, SB_RINGS_TRACE_MAX = 2048 };
_Static_assert(sizeof(struct sb_ring) <= SB_RINGS_TRACE_AT - SB_RING_PAGE, "the path needs its place");

/* Head of a chunk. Its bytes from `first_ns` are also the prefix of an events block, byte for byte. */
struct sb_chunk {
    uint32_t magic;
    sb_lane lane;
    uint16_t ring;
    uint64_t number;
    int64_t last_ns;            /* 0 while the chunk is open */
    _Atomic uint64_t published; /* records << 32 | bytes after the head: one store publishes a record */
    uint64_t pad[3];
    int64_t first_ns;                 /* base of the first record's time */
    uint64_t cpu_ns;                  /* CPU time of the thread when the chunk was opened */
    int64_t gap_from_ns;              /* start of the drops before this chunk; SB_AT_UNKNOWN: none */
    uint32_t dropped[SB_CLASSES_MAX]; /* events dropped before this chunk, by class */
};
_Static_assert(sizeof(struct sb_chunk) == 144, "chunks are part of the file format");
#define SB_CHUNK_PREFIX (sizeof(struct sb_chunk) - offsetof(struct sb_chunk, first_ns))

/* A dictionary entry: this head, `n` bytes, then padding to a multiple of 8. Ids count from 1 within a
 * kind. */
struct sb_dict_entry {
    uint8_t kind; /* enum sb_dict_kind */
    uint8_t arity;
    uint16_t n;
    uint32_t a,
        /* MFA: atom ids of module and function; fun: atom id of module, index; node: atom id, creation */
        b;
};
enum sb_dict_kind {
    SB_DICT_ATOM = 1,
    SB_DICT_MFA,
    SB_DICT_NODE,
    SB_DICT_NOTE /* key NUL value */,
    SB_DICT_FUN,      /* numbered with the MFAs: a fun whose name is in the file of its module */
    SB_DICT_FUN_NAME, /* a: MFA id of a fun; b: atom id of its module; arity and bytes: its name */
    /* a: what the drain found out about the functions up to this MFA id comes before this entry */
    SB_DICT_STATED,
    SB_DICT_KINDS
};

static inline uint64_t
sb_dict_entry_bytes(uint16_t n)
{
    return (sizeof(struct sb_dict_entry) + n + 7u) & ~(uint64_t)7;
}

static inline struct sb_ring *
sb_rings_at(struct sb_rings *r, unsigned i)
{
    return (struct sb_ring *)((uint8_t *)r + SB_RING_PAGE * (1u + i));
}
static inline struct sb_chunk *
sb_ring_chunk(struct sb_rings *r, const struct sb_ring *ring, uint64_t number)
{
    return (struct sb_chunk *)((uint8_t *)r + ring->data_at + number % ring->n_chunks * ring->chunk_bytes);
}
