/*
 * The reader of OTP's own traces. Each file knows one thing:
 *
 *     otp.c         the format: opening, blocks to events
 *     otp_blocks.c  the blocks in order, with damage                        (one thread)
 *     otp_scan.c    bounds of blocks, found ahead                           (any thread)
 *     otp_frame.c   frames: their places, also after damage
 *     otp_decoder.c a decoder for each thread
 *     otp_record.c  records: heads, tags, options, time stamps              (any thread, with its own
 * decoder) otp_ends.h    the beginning and end of typical records, inline otp_args.c      the elements after
 * a tag, by kind otp_names.c   names: atoms and functions, cached otp_term.c    external terms: numbers,
 * pids, sizes                    (no allocation, no recursion) otp_intern.c  atoms to the dictionary
 */
#pragma once
#include "trace/kind.h"
#include "trace/otp/otp_frame.h"
#include "trace/otp/otp_seen.h"

enum otp_atom {
    OTP_NO_ATOM,
#define ATOM(id, text) OTP_##id,
#include "trace/otp/otp_atoms.def"
#undef ATOM
    OTP_ATOMS
};

enum otp_release { OTP_UP_TO_25, OTP_SINCE_26 };
enum otp_clock { OTP_CLOCK_NONE, OTP_CLOCK_TUPLE, OTP_CLOCK_INT, OTP_CLOCK_STRICT };

struct otp_state;

/* The state of one decoding thread: its place in a record, and caches of recent values. */
struct otp_decoder {
    const uint8_t *record;  /* the whole record, from its version byte */
    const uint8_t *p, *end; /* the rest of the record */
    struct sb_names *names;
    struct otp_state *state;
    bool keep_text;
    unsigned node;        /* of the record's process */
    unsigned left;        /* unread elements before the time stamp */
    const uint8_t *alias; /* the first alias reference since it was set to NULL */
    const char *why;      /* the error, after a reader has returned false */
    enum otp_clock clock;
    /* tags of the last pid and of its node's atom; they depend on the release */
    uint8_t pid_tag, node_tag;
    struct otp_node remote;
    struct otp_start start[OTP_STARTS];
    struct otp_decoder *next_idle;
    struct otp_short shorts[1 << OTP_SHORT_BITS];
    struct otp_seen seen[1 << OTP_SEEN_BITS];
};

struct otp_state {
    uint32_t file; /* the file that framing has reached */
    uint64_t at, seq;
    struct otp_scan *scan; /* NULL: no scan was made */
    struct otp_node local;
    enum otp_release release;
    uint8_t cpu_flag;                      /* SB_EVF_CPU_TIME or 0 */
    struct sb_event blank[SB_EVENT_KINDS]; /* sb_event_of each kind, computed once */
    pthread_mutex_t lock;
    struct otp_decoder *idle;
};

/* A trace by CPU time may end with records in wall time, since the VM switches its trace flags off one by
 * one. */
#define OTP_YEAR_2001_NS INT64_C(1000000000000000000)
static inline int64_t
otp_stamp(const struct otp_state *st, int64_t at_ns)
{
    return st->cpu_flag && at_ns > OTP_YEAR_2001_NS ? SB_AT_UNKNOWN : at_ns;
}

/* otp_term.c: each moves d->p past the term it read, or returns false and sets d->why */
bool otp_bad(struct otp_decoder *d, const char *why);
bool otp_skip(struct otp_decoder *d);
/* skips a term; sets the result of erts_debug:flat_size/1 on 64 bits */
bool otp_measure(struct otp_decoder *d, uint64_t *words);
bool otp_int(struct otp_decoder *d, int64_t *v); /* saturates at the limits of 64 bits */
bool otp_tuple(struct otp_decoder *d, uint32_t *arity);
bool otp_list(struct otp_decoder *d,
              /* nil is a list of 0; the elements of a string are not terms: see otp_arity */
              uint32_t *n);
bool otp_actor(struct otp_decoder *d, sb_actor *who);            /* pid or port */
unsigned otp_node_of_name(struct otp_decoder *d, uint32_t atom); /* of {Name, Node}, which has no creation */
bool otp_ref(struct otp_decoder *d, uint32_t *fingerprint);

/* otp_intern.c: adds an atom, given with its header */
uint32_t otp_intern(struct otp_decoder *d, const uint8_t *raw, uint32_t n);

/* otp_text.c: a short text for a term, as Erlang prints it; without keep_text only its outermost shape */
bool otp_text(struct otp_decoder *d, uint32_t *id);

/* otp_args.c: the elements after a tag */
typedef bool otp_args_fn(struct otp_decoder *d, struct sb_event *ev);
struct otp_tag {
    uint8_t kind, n_args;
    otp_args_fn *args;
};
extern const struct otp_tag otp_tags[OTP_ATOMS], otp_profile_tags[OTP_ATOMS];
bool otp_message(struct otp_decoder *d, struct sb_event *ev);

/* otp_record.c */
bool otp_record(struct otp_decoder *d, const uint8_t *payload, uint32_t size, struct sb_event *ev);

/* otp_decoder.c: one decoder per thread; a decoder is used for one block at a time */
struct otp_decoder *otp_borrow(struct sb_source *s);
void otp_give_back(struct sb_source *s, struct otp_decoder *d);
void otp_free_decoders(struct otp_state *st);

/* otp_scan.c */
void otp_scan(struct sb_source *s, struct sb_pool *pool);
void otp_scan_close(struct otp_scan *scan);
/* Completes a block, of which only the start is set, with the block that the scan found there. Returns the
 * place up to which the scan found none. */
uint64_t otp_scanned(struct sb_source *s, struct otp_block *k);
void otp_find_bounds(struct sb_source *s, struct sb_block *b);

/* otp_blocks.c */
bool otp_next(struct sb_source *s, struct sb_block *b, struct sb_err *e);
