/* The state of the .sbt reader for one open file. Read-only once open has returned. Included by src/trace
 * only. */
#ifndef SB_TRACE_SBT_READ_H
#define SB_TRACE_SBT_READ_H
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
    bool has_trailer;
    bool written;     /* a drain was still writing the file when it was opened */
    int64_t until_ns; /* events from here on are left out; INT64_MAX: none */
    size_t next;
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
enum { SB_SBT_LATE_NS = 1250000000 }; /* the age of an open chunk at most, and passes of the drain */
void sb_sbt_read_known(struct sb_sbt_reader *r);

/* Returns the bytes at an offset: in the file, or in `left` for offsets from n. NULL: outside of both. */
static inline const uint8_t *
sb_sbt_at(const struct sb_sbt_reader *r, uint64_t at, uint64_t *room)
{
    bool in_file = at < r->n;
    uint64_t off = in_file ? at : at - r->n, n = in_file ? r->n : r->left.n;
    *room = off < n ? n - off : 0;
    return *room == 0 ? NULL : (in_file ? r->p : r->left.at) + off;
}

#endif
