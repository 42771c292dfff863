/*
 * The shared memory between a traced node and strobe-drain: one file, reserved whole before it is mapped.
 *
 *     ┌────────┬──────────────┬────────────┬────────┬────────┬─
 *     │ header │ ring, ring.. │ dictionary │ chunks of ring 0 │ chunks of ring 1 ...
 *     └────────┴──────────────┴────────────┴────────┴────────┴─
 *
 * A ring belongs to one thread of the node, its only writer; strobe-drain is its only reader. It is cut into
 * chunks, each of which can be read alone: absolute time, thread and what was dropped before it stand in its
 * head, and no record refers to an earlier chunk. Chunk number n lies in slot n mod n_chunks. The writer
 * opens chunk n only when the reader has given back chunk n - n_chunks; else it counts a drop. Nobody ever
 * waits.
 *
 * What the node wrote survives it: the file holds every record whose `published` was stored, whoever dies.
 */
#ifndef SB_TRACE_RING_H
#define SB_TRACE_RING_H
#include "trace/event.h"
#include <stdatomic.h>
#include <stddef.h>

#define SB_RING_MAGIC 0x31474e4952425453u /* "STBRING1" */
#define SB_CHUNK_MAGIC 0x4b4e4843u        /* "CHNK" */
#define SB_RING_PAGE 4096u
#define SB_KINDS_MAX 64u   /* kinds are six bits of a record's first byte */
#define SB_CLASSES_MAX 16u /* room for enum sb_class */
_Static_assert((unsigned)SB_EVENT_KINDS <= SB_KINDS_MAX && (unsigned)SB_CLASSES <= SB_CLASSES_MAX,
               "event.def outgrew the format");

enum sb_ring_state {
    SB_RINGS_OPEN,   /* reserved; nothing recorded yet */
    SB_RINGS_ON,     /* recording */
    SB_RINGS_CLOSED, /* the node has stopped: no thread writes any more */
    SB_RINGS_DONE,   /* everything is in the trace file */
};

enum sb_stop_reason { SB_STOP_NONE, SB_STOP_TIME, SB_STOP_EVENTS, SB_STOP_BYTES, SB_STOP_DISK, SB_STOP_USER };

struct sb_rings { /* page 0 */
    uint64_t magic;
    uint32_t version, n_rings;
    uint64_t total_bytes, dict_at, dict_bytes;
    uint32_t os_pid, event_kinds; /* the writer's SB_EVENT_KINDS: another number is another program */
    int64_t start_ns;
    _Atomic uint32_t state;     /* enum sb_ring_state, the node's */
    _Atomic uint32_t drained;   /* the drain's: 1 while one is attached, 2 when the trace is complete */
    _Atomic uint32_t stop;      /* enum sb_stop_reason: the drain asks the node to stop recording */
    _Atomic uint32_t claimed;   /* rings in use: 0 .. claimed-1 of either size */
    _Atomic uint64_t dict_used; /* whole entries */
    _Atomic uint64_t dropped[SB_CLASSES_MAX]; /* by threads that found no ring */
};

struct sb_ring { /* a page each, from SB_RING_PAGE on */
    uint64_t data_at;
    uint32_t chunk_bytes, n_chunks;
    _Atomic uint32_t claimed;
    _Atomic uint16_t lane;
    uint16_t pad[3];
    _Atomic uint64_t head;        /* chunks opened; head - 1 is the open one */
    _Atomic int64_t gap_from_ns;  /* since when nothing could be written; SB_AT_UNKNOWN: no gap */
    uint64_t kinds[SB_KINDS_MAX]; /* records written, by kind */
    _Atomic uint64_t
        dropped[SB_CLASSES_MAX];        /* events not written, by class, whether yet in a chunk or not */
    _Alignas(64) _Atomic uint64_t tail; /* the reader's: chunks given back */
    uint64_t reported[SB_CLASSES_MAX];  /* the reader's: drops told by the heads of chunks it took */
};

/* Head of a chunk. From `first_ns` on it is also the head of a block of the trace file, byte for byte. */
struct sb_chunk {
    uint32_t magic;
    sb_lane lane;
    uint16_t ring;
    uint64_t number;
    int64_t last_ns;            /* 0 while the chunk is open */
    _Atomic uint64_t published; /* records << 32 | bytes behind the head: one store makes a record visible */
    uint64_t pad[3];
    int64_t first_ns;                 /* the first record counts its time from here */
    uint64_t cpu_ns;                  /* CPU time of the thread when the chunk was opened */
    int64_t gap_from_ns;              /* the drops before this chunk began here; SB_AT_UNKNOWN: none */
    uint32_t dropped[SB_CLASSES_MAX]; /* the drops before this chunk */
};
_Static_assert(sizeof(struct sb_chunk) == 144, "chunks lie in files");
#define SB_CHUNK_PREFIX (sizeof(struct sb_chunk) - offsetof(struct sb_chunk, first_ns))

/* An entry of the dictionary: this, then `n` bytes, then what fills up to 8. Ids count from 1 within a kind.
 */
struct sb_dict_entry {
    uint8_t kind; /* enum sb_dict_kind */
    uint8_t arity;
    uint16_t n;
    uint32_t a,
        b; /* MFA: atom ids of module and function; fun: atom id of module, index; node: atom id, creation */
};
enum sb_dict_kind {
    SB_DICT_ATOM = 1,
    SB_DICT_MFA,
    SB_DICT_NODE,
    SB_DICT_NOTE /* key NUL value */,
    SB_DICT_FUN,      /* counts among the MFAs: a fun whose name its module's file knows */
    SB_DICT_FUN_NAME, /* a: MFA id of a fun; arity and bytes: what it is called. Written by the drain */
    SB_DICT_KINDS
};

/* Whether a file of so many bytes is what it says: no ring, no dictionary reaches outside. */
bool sb_rings_make_sense(struct sb_rings *r, uint64_t file_bytes);

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

#endif
