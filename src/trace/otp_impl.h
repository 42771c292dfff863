/*
 * The reader of OTP's own traces, in steps that each know one thing:
 *
 *     otp.c         the format: opening, blocks to events
 *     otp_blocks.c  the blocks in their order, with damage                  (one thread)
 *     otp_scan.c    bounds of blocks, looked for ahead                      (any thread)
 *     otp_frame.c   where records begin, and where behind damage
 *     otp_decoder.c a decoder for each thread
 *     otp_record.c  what a record says: heads, tags, options, time stamps   (any thread, a decoder each)
 *       otp_ends.h    what nearly all of them begin and end with, inline
 *     otp_args.c      what stands behind a tag, kind by kind
 *     otp_names.c   names: atoms and functions, by way of a cache
 *     otp_term.c    external terms: numbers, pids, sizes                    (no allocation, no recursion)
 *     otp_intern.c  atoms to the dictionary
 */
#ifndef SB_TRACE_OTP_IMPL_H
#define SB_TRACE_OTP_IMPL_H
#include "trace/kind.h"
#include "trace/otp_ext.h"
#include "trace/otp_frame.h"
#include "trace/otp_seen.h"

enum otp_atom {
    OTP_NO_ATOM,
#define ATOM(id, text) OTP_##id,
#include "trace/otp_atoms.def"
#undef ATOM
    OTP_ATOMS
};

enum otp_release { OTP_UP_TO_25, OTP_SINCE_26 };
enum otp_clock { OTP_CLOCK_NONE, OTP_CLOCK_TUPLE, OTP_CLOCK_INT, OTP_CLOCK_STRICT };

struct otp_state;

/* Everything one thread needs to decode: where it reads, and what it saw lately. */
struct otp_decoder {
    const uint8_t *record;  /* the whole of it, with its version byte */
    const uint8_t *p, *end; /* the rest of it */
    struct sb_names *names;
    struct otp_state *state;
    bool keep_text;
    unsigned node;   /* of the process whose record it is */
    unsigned left;   /* elements of the record before its time stamp that are still to be read */
    const uint8_t *alias; /* the first reference of one since it was NULL */
    const char *why; /* what was wrong, when a reader returned false */
    enum otp_clock clock;
    uint8_t pid_tag, node_tag; /* of the last pid and of its node's atom: they tell the release */
    struct otp_node remote;
    struct otp_start start[OTP_STARTS];
    struct otp_decoder *next_idle;
    struct otp_short shorts[1 << OTP_SHORT_BITS];
    struct otp_seen seen[1 << OTP_SEEN_BITS];
};

struct otp_state {
    uint32_t file; /* where framing stands */
    uint64_t at, seq;
    struct otp_scan *scan; /* NULL: there was none */
    struct otp_node local;
    enum otp_release release;
    uint8_t cpu_flag;                      /* SB_EVF_CPU_TIME or 0 */
    struct sb_event blank[SB_EVENT_KINDS]; /* sb_event_of each kind, made once */
    pthread_mutex_t lock;
    struct otp_decoder *idle;
};

/* A trace by CPU time may end with records that bear the wall's: the VM turns one thing off after the other. */
#define OTP_YEAR_2001_NS INT64_C(1000000000000000000)
static inline int64_t
otp_stamp(const struct otp_state *st, int64_t at_ns)
{
    return st->cpu_flag && at_ns > OTP_YEAR_2001_NS ? SB_AT_UNKNOWN : at_ns;
}

/* otp_term.c: each moves d->p behind what it read, or returns false with d->why */
bool otp_bad(struct otp_decoder *d, const char *why);
bool otp_skip(struct otp_decoder *d);
bool otp_measure(struct otp_decoder *d, uint64_t *words); /* skips, and says what erts_debug:flat_size/1 does on 64 bits */
bool otp_int(struct otp_decoder *d, int64_t *v); /* saturates beyond 64 bits */
bool otp_tuple(struct otp_decoder *d, uint32_t *arity);
bool otp_list(struct otp_decoder *d,
              uint32_t *n); /* a nil is a list of 0; a string's elements are not terms: see otp_arity */
bool otp_actor(struct otp_decoder *d, sb_actor *who); /* pid or port */
unsigned otp_node_of_name(struct otp_decoder *d,
                          uint32_t atom); /* of {Name, Node}, which tells no creation */
bool otp_ref(struct otp_decoder *d, uint32_t *fingerprint);

/* otp_intern.c: an atom, header and all */
uint32_t otp_intern(struct otp_decoder *d, const uint8_t *raw, uint32_t n);

/* otp_text.c: a short text for a term, as Erlang writes it; without keep_text only its outermost shape */
bool otp_text(struct otp_decoder *d, uint32_t *id);

/* otp_args.c: what stands behind a tag */
typedef bool otp_args_fn(struct otp_decoder *d, struct sb_event *ev);
struct otp_tag {
    uint8_t kind, n_args;
    otp_args_fn *args;
};
extern const struct otp_tag otp_tags[OTP_ATOMS], otp_profile_tags[OTP_ATOMS];
bool otp_message(struct otp_decoder *d, struct sb_event *ev);

/* otp_record.c */
bool otp_record(struct otp_decoder *d, const uint8_t *payload, uint32_t size, struct sb_event *ev);

/* otp_decoder.c: as many decoders as there are threads, each used for one block at a time */
struct otp_decoder *otp_borrow(struct sb_source *s);
void otp_give_back(struct sb_source *s, struct otp_decoder *d);
void otp_free_decoders(struct otp_state *st);

/* otp_scan.c */
void otp_scan(struct sb_source *s, struct sb_pool *pool);
void otp_scan_close(struct otp_scan *scan);
/* Makes the block, which only begins so far, the one that the scan found there, if it did; up to where it found none. */
uint64_t otp_scanned(struct sb_source *s, struct otp_block *k);
void otp_find_bounds(struct sb_source *s, struct sb_block *b);

/* otp_blocks.c */
bool otp_next(struct sb_source *s, struct sb_block *b, struct sb_err *e);

#endif
