/*
 * A trace to read, from whatever wrote it: strobe's .sbt, a dbg file, a wrap set, a recorded ip stream, the text
 * form. First it is framed (cheap, one thread: sb_source_next), then its blocks are decoded by any number of
 * threads at once (sb_source_decode), each block alone, in any order. Damage is counted, never fatal, unless
 * nothing at all could be read.
 *
 *     open -> next, next, ... (one thread)
 *                 \-> decode (any thread, each with its own sb_events) -> events in the block's own order
 *     damage, loss and info are complete once every block has been decoded
 */
#ifndef SB_TRACE_SOURCE_H
#define SB_TRACE_SOURCE_H
#include "base/err.h"
#include "base/pool.h"
#include "base/vec.h"
#include "trace/event.h"
#include "trace/names.h"

struct sb_events {
    struct sb_event *at;
    size_t n, cap;
};

struct sb_block {
    uint64_t seq;           /* 0, 1, 2, ... in file order */
    uint32_t file;          /* which of the source's files */
    uint64_t at_byte, size; /* where in it */
    int64_t first_ns, last_ns; /* bounds of its stamps where the format tells, else INT64_MIN, INT64_MAX; first_ns is
                                  INT64_MIN as well when some event has no stamp */
    uint64_t n_events;      /* where the format tells, else 0 */
    uint64_t kinds;         /* a bit for each that is in it, where it was scanned, else 0 */
};

struct sb_damage {
    uint32_t file;
    uint64_t at_byte, bytes; /* what was skipped */
    char what[120];          /* "bad trace tag 7", "cut off in the middle of a record" */
};

struct sb_note {
    struct sb_str key, value;
};

struct sb_source_info {
    const char *format;      /* "sbt", "otp", "wrap", "text" */
    struct sb_str otp;       /* release, where known */
    struct sb_str node_name; /* the traced node; empty when the trace does not tell */
    uint32_t creation, schedulers, schedulers_online, dirty_cpu, dirty_io, os_pid;
    uint32_t cores;         /* that the affinity of the node's process allows; 0 unknown */
    uint64_t cpu_quota_ppm; /* of a core, that its control group allows; 0: no limit is known */
    uint32_t n_files;
    uint64_t bytes, records; /* whole records: of an OTP file every op-0 frame */
    uint64_t lost[SB_CLASSES]; /* drops by class */
    uint64_t lost_any;         /* drops whose class the source does not tell */
    uint64_t recorded;         /* bit per class that was switched on, as far as known; 0: derive from what is there */
    bool cpu_time;             /* stamps are CPU time: only file order means anything */
    bool untimed;              /* there are no stamps: the same */
    bool clock_is_wall;        /* at_ns counts from 1970; else from an arbitrary moment */
    bool own_order;            /* every process's events come in order through the blocks in seq order */
    /* for the axis of several nodes: wall = at_ns + wall_minus_at_ns, where the source knows; else SB_AT_UNKNOWN */
    int64_t wall_minus_at_ns;
    SB_VEC(struct sb_damage) damage; /* at most 1,000 kept */
    uint64_t damages;                /* all of them */
    uint64_t node_cpu_ns, drain_cpu_ns, cost_ns_per_event_x100; /* cost of the capture; 0 unknown */
    uint64_t cost_ns_x100[SB_CLASSES]; /* the same of an event of this class, the VM's share with it */
    SB_VEC(struct sb_note) notes;    /* anything else worth showing */
};

bool sb_source_loses(const struct sb_source_info *info); /* events are missing, as far as is known by now */

struct sb_source;
struct sb_source_options {
    uint32_t wrap_count; /* 0: work it out from the files that are there */
    bool keep_text;      /* spawn arguments, exit reasons and marks as text in the dictionary */
};

/* `paths`: one file, the files of a wrap set in any order, or its base name. */
bool sb_source_open(struct sb_source **s, const char *const *paths, size_t n, const struct sb_source_options *o,
                    struct sb_err *e);
/* Before the first block, if at all: looks at everything, on all threads, where only that tells what the blocks'
   bounds are and what is in them. */
void sb_source_scan(struct sb_source *s, struct sb_pool *pool);
bool sb_source_next(struct sb_source *s, struct sb_block *b, struct sb_err *e); /* false at the end with e->code SB_OK */
void sb_source_decode(struct sb_source *s, const struct sb_block *b, struct sb_events *out); /* appends; thread-safe */
struct sb_names *sb_source_names(struct sb_source *s);
const struct sb_source_info *sb_source_info(const struct sb_source *s);
void sb_source_quiet(struct sb_source *s, bool quiet); /* damage and losses are not counted: what is decoded now will be again */
/* Once every block is decoded: was all of it whole? If not, the error says where it is first damaged, or that it is
 * empty; what could be read is good all the same. */
bool sb_source_whole(struct sb_source *s, struct sb_err *e);
void sb_source_close(struct sb_source *s);

/*
 * A source that is no trace file: whoever makes it brings the format, with what that keeps, and fills in the facts.
 * `close` of the format lets go of the state.
 */
struct sb_source_format;
struct sb_source *sb_source_make(const struct sb_source_format *f, void *state);
void *sb_source_state(const struct sb_source *s);
struct sb_source_info *sb_source_facts(struct sb_source *s); /* while it is being opened only */

/* One row per format; sb_source_open asks each in turn. A new format is a new file and a row in source.c. */
struct sb_source_format {
    const char *name, *doc;
    bool (*probe)(const uint8_t *head, size_t n, const char *path);
    bool (*open)(struct sb_source *s, struct sb_err *e);
    void (*scan)(struct sb_source *s, struct sb_pool *pool); /* NULL: blocks tell what there is to be told */
    bool (*next)(struct sb_source *s, struct sb_block *b, struct sb_err *e);
    void (*decode)(struct sb_source *s, const struct sb_block *b, struct sb_events *out);
    void (*close)(struct sb_source *s);
};

#endif
