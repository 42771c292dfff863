/* The state of the .sbt reader for one open file. Read-only once open has returned. Included by src/trace
 * only. */
#pragma once
#include "trace/kind.h"
#include "trace/sbt/sbt.h"
#include "trace/source_impl.h"

struct sb_sbt_ids { /* maps ids of the file's dictionary to ids in sb_names; [0] is none */
    uint32_t *at;
    size_t n, cap;
};

struct sb_sbt_row { /* the layout of one kind, from the file's own table of kinds */
    uint8_t kind;   /* SB_EV_unknown for a kind that this version lacks: its slots are skipped */
    uint8_t n_slots;
    uint32_t tag; /* name id of the tag */
    struct sb_slot slot[SB_MAX_SLOTS];
};

struct sb_sbt_node { /* a node as the dictionary gives it */
    uint32_t atom, creation;
};

/* A file that is read while it grows: sbt_grow.c. A block is given out once the drain has stated all that it will
 * about the functions that the dictionary had when the block was written, or when the block is SB_SBT_PATIENCE_S
 * old: the drain of an earlier version states nothing until the end. */
enum { SB_SBT_PATIENCE_S = 5 };
struct sb_sbt_unstated {
    uint64_t at;
    int64_t first_ns;
    uint32_t functions;
};
struct sb_sbt_growing {
    SB_VEC(struct sb_sbt_unstated) waiting;
    uint32_t stated, given; /* MFA ids: stated so far; at most this many in the blocks given out */
    int64_t latest_ns;      /* the last stamp of all blocks */
    bool misled;            /* a fun got its name after it was used */
    bool broken;            /* the blocks found on the way are not those of the trailer */
};

struct sb_sbt_reader {
    struct sb_source *source;
    const uint8_t *p;
    uint64_t n;
    struct sb_sbt_row row[SB_KINDS_MAX];
    struct sb_sbt_ids atom, mfa, node;
    SB_VEC(struct sb_sbt_node) nodes; /* nodes of the dictionary, until all of it has been read */
    SB_VEC(uint64_t) place;           /* offsets of the blocks to decode, by time */
    /* blocks made from the rings of a killed drain; their offsets start at n */
    SB_VEC(uint8_t) left;
    struct sb_sbt_held held;
    uint64_t dict_bytes; /* size of the dictionary in the file */
    bool has_trailer, has_rings;
    bool written;     /* a drain was still writing the file when it was opened */
    int64_t until_ns; /* events from here on are left out; INT64_MAX: none */
    size_t next;
    uint64_t walked;               /* bytes of the file whose blocks were taken */
    bool dict_ok;                  /* else a dictionary block is missing: later ids mean nothing then */
    struct sb_sbt_growing growing; /* of a file that grows */
};

/* Checks and unpacks the block at `at`. SB_SBT_SLACK zeros follow the result. NULL: damaged. */
enum { SB_SBT_SLACK = 1024 };
uint8_t *sb_sbt_unpack(struct sb_sbt_reader *r, uint64_t at, struct sb_sbt_block *b);
void sb_sbt_decode(struct sb_source *s, const struct sb_block *b, struct sb_events *out);
/* Decodes the unpacked bytes of an events block at `where`; SB_SBT_SLACK zeros follow them. */
void sb_sbt_decode_events(struct sb_sbt_reader *r, const struct sb_block *where, const struct sb_sbt_block *b,
                          const uint8_t *p, struct sb_events *out);
void sb_sbt_read_rows(struct sb_sbt_reader *r, struct sb_str table);
bool sb_sbt_read_dict(struct sb_sbt_reader *r, const uint8_t *p, uint64_t n);
void sb_sbt_number_nodes(struct sb_sbt_reader *r); /* call once the whole dictionary has been read */

void sb_sbt_join_rings(struct sb_sbt_reader *r, const char *path); /* fills in `left` */
/* Whether the open file still grows: a drain has opened the rings, or strobe fetches the trace from elsewhere and
 * has locked the file. */
bool sb_sbt_is_written(int trace, const char *rings);

/*
 * A trace that a drain is still writing. Each ring is in the file up to another moment, SB_SBT_LATE_NS apart at most.
 * Limits the reader to the events before which nothing is missing: `place` loses the later blocks.
 */
enum { SB_SBT_LATE_NS = 750000000 }; /* the age of an open chunk at most, and passes of the drain */
void sb_sbt_read_known(struct sb_sbt_reader *r);

bool sb_sbt_load(struct sb_sbt_reader *r, uint64_t at); /* a block of kinds or of the dictionary */
void sb_sbt_take(struct sb_sbt_reader *r, const struct sb_sbt_block *b,
                 uint64_t at); /* records a whole block */
/* Takes the blocks of the file from `walked` on. Bytes between blocks count as damage. */
void sb_sbt_walk(struct sb_sbt_reader *r);
/* Reads the totals of a trailer; NULL: it does not fit the file. The caller frees its content. */
uint8_t *sb_sbt_read_totals(struct sb_sbt_reader *r, uint64_t at, struct sb_sbt_trailer *t);
/* A drain that cannot write ends the recording: the program went on, and the trace does not show it. */
void sb_sbt_note_stop(struct sb_sbt_reader *r, uint32_t stop);
/* Estimates the CPU time that recording took from the node. */
uint64_t sb_sbt_node_cost_ns(const struct sb_sbt_reader *r, const struct sb_sbt_trailer *t);
void sb_sbt_grow(struct sb_source *s, struct sb_source_growth *g);

/* Returns the bytes at an offset: in the file, or in `left` for offsets from n. NULL: outside of both. */
static inline const uint8_t *
sb_sbt_at(const struct sb_sbt_reader *r, uint64_t at, uint64_t *room)
{
    bool in_file = at < r->n;
    uint64_t off = in_file ? at : at - r->n, n = in_file ? r->n : r->left.n;
    *room = off < n ? n - off : 0;
    return *room == 0 ? NULL : (in_file ? r->p : r->left.at) + off;
}
