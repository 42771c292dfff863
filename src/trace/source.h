/*
 * Reads a trace of any format: strobe's .sbt, a dbg file, a wrap set, a recorded ip stream, the text form.
 * One thread frames the trace into blocks (cheap: sb_source_next); any number of threads decode the blocks
 * (sb_source_decode), each block alone and in any order. Damage is counted. It is an error only when nothing
 * at all can be read.
 *
 *     open -> next, next, ... (one thread)
 *                 \-> decode (any thread, each with its own sb_events) -> events in the block's own order
 *     damage, loss and info are complete once every block has been decoded
 */
#pragma once
#include "base/err.h"
#include "base/pool.h"
#include "base/vec.h"
#include "trace/names.h"

struct sb_events {
    struct sb_event *at;
    size_t n, cap;
};

struct sb_block {
    uint64_t seq;              /* 0, 1, 2, ... in file order */
    uint32_t file;             /* index of the file */
    uint64_t at_byte, size;    /* place in the file */
    int64_t first_ns, last_ns; /* bounds of the time stamps, if the format has them, else INT64_MIN,
                                  INT64_MAX; first_ns is also INT64_MIN when an event has no stamp */
    uint64_t n_events;         /* if the format has it, else 0 */
    uint64_t kinds;            /* bit set of the event kinds in the block, if it was scanned, else 0 */
};

struct sb_damage {
    uint32_t file;
    uint64_t at_byte, bytes; /* the skipped range */
    char what[120];          /* "bad trace tag 7", "cut off in the middle of a record" */
};

struct sb_note {
    struct sb_str key, value;
};

struct sb_source_info {
    const char *format;      /* "sbt", "otp", "wrap", "text" */
    struct sb_str otp;       /* release, if known */
    struct sb_str node_name; /* name of the traced node; empty when unknown */
    uint32_t creation, os_pid;
    struct {
        uint32_t schedulers, schedulers_online, dirty_cpu, dirty_io;
        uint32_t cores; /* that the affinity of the node's process allows */
        /* CPU time that its control group allows, in millionths of a core; 0: no known limit */
        uint64_t cpu_quota_ppm;
    } vm; /* 0: unknown */
    uint32_t n_files;
    uint64_t bytes, records;   /* records: whole ones; in OTP files, frames with op 0 */
    uint64_t lost[SB_CLASSES]; /* drops by class */
    uint64_t lost_any;         /* drops of unknown class */
    /* bit per class that was switched on; 0: unknown, derive it from the events */
    uint64_t recorded;
    /* time stamps are CPU time, or there are none: only the order in the file is meaningful */
    bool cpu_time, untimed;
    bool clock_is_wall; /* at_ns counts from 1970; otherwise from an arbitrary moment */
    /* the events of every process are in order when blocks are read by seq */
    bool own_order;
    struct { /* added to at_ns: gives wall-clock time, or SB_AT_UNKNOWN; gives the clock of the boot */
        int64_t wall_ns, boot_ns;
        struct sb_str boot; /* of its kernel, which its nodes share; empty when unknown */
    } clock;
    SB_VEC(struct sb_damage) damage;                            /* the first 1,000 recorded */
    uint64_t damages;                                           /* number of all damages */
    uint64_t node_cpu_ns, drain_cpu_ns, cost_ns_per_event_x100; /* cost of the capture; 0 unknown */
    uint64_t cost_ns_x100[SB_CLASSES]; /* of an event of a class, with the VM's share; 0 unknown */
    SB_VEC(struct sb_note) notes;      /* other facts about the trace */
};

bool sb_source_loses(const struct sb_source_info *info); /* true if events are known to be missing */
/* True if the trace was still being written: what its writer states at the end is missing too. */
bool sb_source_unfinished(const struct sb_source_info *info);
/* True if it is a wrap set whose oldest files were removed. */
bool sb_source_wrapped(const struct sb_source_info *info);

struct sb_source;
struct sb_source_options {
    uint32_t wrap_count; /* 0: derive it from the existing files */
    bool keep_text;      /* store spawn arguments, exit reasons and marks as text in the dictionary */
    /* of a trace that is still being written, only what comes before the first event that may be missing */
    bool known_only;
    bool grows; /* the same, and sb_source_grow takes in what is added */
};

/* `paths`: one file, the files of a wrap set in any order, or its base name. */
bool sb_source_open(struct sb_source **s, const char *const *paths, size_t n,
                    const struct sb_source_options *o, struct sb_err *e);
/* Optional, before the first block: scans the whole trace on all threads, if the format needs that to know
 * the bounds and the kinds of its blocks. */
void sb_source_scan(struct sb_source *s, struct sb_pool *pool);
bool sb_source_next(struct sb_source *s, struct sb_block *b,
                    struct sb_err *e); /* false at the end with e->code SB_OK */
void sb_source_decode(struct sb_source *s, const struct sb_block *b,
                      struct sb_events *out); /* appends; thread-safe */
struct sb_names *sb_source_names(struct sb_source *s);
const struct sb_source_info *sb_source_info(const struct sb_source *s);
bool sb_source_may_have_wrapped(
    const struct sb_source *s); /* a wrap set whose names do not show what was removed */
/* while quiet, damage and losses are not counted, since the blocks will be decoded again */
void sb_source_quiet(struct sb_source *s, bool quiet);
/* Call once every block is decoded. Returns false if the trace is empty or damaged; the error names the
 * first damage. The events that were read are valid in any case. */
bool sb_source_whole(struct sb_source *s, struct sb_err *e);
void sb_source_close(struct sb_source *s);

/* How far a trace has grown. */
struct sb_source_growth {
    bool has_begun;   /* there are blocks */
    bool whole;       /* it is complete: nothing will be added */
    bool misled;      /* what was given out earlier is not what the trace says now */
    bool broken;      /* it is damaged: an analysis of the whole may find more or less in it */
    int64_t known_ns; /* no event before it will be added; INT64_MAX once it is whole */
    uint64_t taken;   /* bytes of the file whose blocks were taken in; what follows may be half a block */
};
/* Takes in what was added to the file; sb_source_next then gives further blocks. No block may be decoded meanwhile.
 * Fails for formats that do not grow. */
bool sb_source_grow(struct sb_source *s, struct sb_source_growth *g, struct sb_err *e);
/* Notes that the trace is unfinished, and known up to a moment. */
void sb_source_end_here(struct sb_source *s, int64_t known_ns);

/*
 * A source that is not a trace file. The caller supplies the format and its state, and fills in the facts.
 * `close` of the format frees the state.
 */
struct sb_source_format;
struct sb_source *sb_source_make(const struct sb_source_format *f, void *state);
void *sb_source_state(const struct sb_source *s);
struct sb_source_info *sb_source_facts(struct sb_source *s); /* only while opening */

/* One row per format. sb_source_open probes them in turn. A new format is a new file and a row in
 * source.c. */
struct sb_source_format {
    const char *name, *doc;
    bool (*probe)(const uint8_t *head, size_t n, const char *path);
    bool (*open)(struct sb_source *s, struct sb_err *e);
    void (*scan)(struct sb_source *s, struct sb_pool *pool); /* NULL: blocks carry their bounds */
    bool (*next)(struct sb_source *s, struct sb_block *b, struct sb_err *e);
    void (*decode)(struct sb_source *s, const struct sb_block *b, struct sb_events *out);
    void (*close)(struct sb_source *s);
    void (*grow)(struct sb_source *s, struct sb_source_growth *g); /* NULL: does not grow */
};
