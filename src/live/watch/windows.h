/*
 * Where the windows of a watched node come from. All read rings into the tally:
 *
 *     windows_rings.c    the rings themselves, mapped here: strobe ends each window, and pauses the tracing
 *     windows_pieces.c   an image of them: the node ends each window and sends a copy, in pieces
 *     windows_beside.c   those of a recording that is under way, beside its drain
 *
 * Tracing costs a node time for every event. A window that has cost its share ends early, and the tracing pauses until
 * the average is within bounds again. One thread.
 */
#pragma once
#include "live/attach/attach.h"
#include "live/attach/peer.h"
#include "live/watch/tally.h"
#include "trace/sbt/ring_image.h"
#include "trace/sbt/ring_read.h"

struct sb_windows {
    struct sb_tally *tally;
    struct sb_peer *node;
    int64_t interval_ns;
    /* The share of a core that events may cost, by the node's own measurement, which is made with warm caches: in a
     * node that does other work they cost more. */
    unsigned permille;
    uint32_t n;        /* whole ones so far */
    bool paused;       /* the last one ended early */
    uint64_t lost;     /* events that the last one lacks */
    int64_t answer_ns; /* how long answers about processes take on their way; 0: no time */
    const struct sb_windows_way *way;
    void *state; /* of the way */
    struct sb_ring_reader *reader;
    struct sb_events *held; /* by ring: read, but of the next window */
    unsigned n_held;        /* the rings' own number may be anything after an error */
    uint64_t lost_before;
};

struct sb_windows_way {
    /* Makes the rings readable; sets the time from which on events count. */
    bool (*open)(struct sb_windows *w, const struct sb_attached *of, int64_t *from_ns, struct sb_err *e);
    void (*close)(struct sb_windows *w);
    bool (*step)(struct sb_windows *w, struct sb_err *e); /* waits for nothing */
    /* NULL: the node is asked nothing */
    bool (*take)(struct sb_windows *w, const struct sb_peer_answer *answer, struct sb_err *e);
    bool (*ask)(struct sb_windows *w, const struct sb_peer_question *q, struct sb_err *e);
};
extern const struct sb_windows_way sb_windows_rings, sb_windows_pieces, sb_windows_beside;

/* Opens windows with this interval and share. Initialises the tally. Waits for the node where it sends copies. */
bool sb_windows_open(struct sb_windows *w, const struct sb_attached *of, struct sb_tally *tally,
                     struct sb_err *e);
void sb_windows_close(struct sb_windows *w); /* and the tally */

/* For the ways: adds all events before `to_ns`. */
bool sb_windows_read(struct sb_windows *w, int64_t to_ns, struct sb_err *e);
/* For the ways: adds a copy to the image of the rings. The chunks of the last copy may be overwritten by it, so the
 * events that came after the end of the last window are read before, and held for the next one. */
bool sb_windows_add_copy(struct sb_windows *w, struct sb_ring_image *image, struct sb_str copy,
                         struct sb_err *e);
void sb_windows_end(struct sb_windows *w, int64_t to_ns);
