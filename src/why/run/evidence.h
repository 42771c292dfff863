/*
 * What the rules look at: the program's part of the run, held in memory as steps of processes, messages and the
 * level of the machine over time. One thread builds it; after that it is read-only.
 */
#pragma once
#include "why/run/level.h"
#include "why/run/pieces.h"
#include "profile/otp.h"
#include "why/program/phases.h"

enum sb_wait { /* what a process waits for in the gap after a slice */
               SB_WAIT_NONE,
               SB_WAIT_IDLE, /* for the next request: in the loop of a behaviour, or for a process that asks it */
               SB_WAIT_ASKED, /* for the reply of a process that it asked, or for a process that it started */
               SB_WAIT_TIMER, /* for the timeout of a receive, a sleep included */
               SB_WAIT_OUTSIDE, /* for something that is not a process of the trace: a timer message, a port, a node */
               SB_WAIT_OPEN, /* unknown: nothing woke the process before the part of the run ended, or it ended */
};

/*
 *     |---- slice ----|- wait -|- handover -|- ready -|- unknown -|  next slice
 *   start          start+dur                                    end
 */
struct sb_step {
    int64_t start, dur, wait_ns, handover_ns, ready_ns, ready_low_ns, end;
    int64_t asked_ns;        /* the wait; in a call that other messages interrupt, up to its next wait */
    int32_t in, out;         /* texts; 0: unknown */
    int32_t waker;           /* process.id; 0: unknown */
    uint8_t wait;            /* enum sb_wait */
    bool dirty, interrupted; /* the wait is a sleep that goes on in the next step */
};

enum sb_service { /* processes of OTP that others wait for, by what they serve */
                  SB_SERVICE_NONE,
                  SB_SERVICE_FILE,
                  SB_SERVICE_OUTPUT,
                  SB_SERVICE_LOG,
                  SB_SERVICE_CODE,
                  SB_SERVICE_LOADER, /* reads files for the code server and for application:load/1 */
                  SB_SERVICE_TIMER,
};

struct sb_actor {      /* a process, within the program's part of the run */
    uint32_t first, n; /* its steps */
    int64_t parent, group, entry, start, end;
    int64_t like;              /* the first group with its parent group and entry; 0: it is like no other */
    int64_t watched_ns;        /* the trace of its node begins */
    int64_t work_ns;           /* on a scheduler of any kind */
    int64_t share_ns;          /* work, each moment divided by the number of processes at work */
    int64_t alone_ns;          /* work while nothing else was at work */
    int64_t idle_ns;           /* waiting for the next request */
    int64_t gc_ns, gc_kept_ns; /* all collections, and their part for data that stayed */
    int64_t gc_kept_words, gc_peak_words; /* copied by all collections; left by the one that left most */
    struct {
        int64_t at, words;  /* the start of its first collection and the heap before it; 0: none */
        int64_t mbuf_words; /* of messages that all its collections found beside the heap */
    } gc;
    int64_t sends, receives, timeouts;
    int64_t whole_ns; /* on a scheduler in the whole run */
    bool is_program;  /* it ran code outside OTP and Elixir */
    enum sb_service service;
};

struct sb_letter {
    int64_t sent, received;   /* SB_NULL: not in the trace */
    int32_t sender, receiver; /* 0: unknown */
    int64_t words;
    int32_t asker; /* whom it names, of a node that was not recorded; 0: nobody */
    bool is_call;  /* the asker waits for the reply of a call */
};

struct sb_turn {   /* of a client of the process that grants.c looks at */
    int64_t asked; /* when its last message was received */
    uint32_t late; /* its late turns */
    bool has, has_asked;
};

struct sb_traffic {
    int32_t sender, receiver;
    int64_t count, words, max_words, first;
    int64_t at_least; /* messages of which words is a lower bound */
};

struct sb_evidence {
    const struct sb_profile *profile;
    struct sb_arena *arena;
    int64_t t0, t1, span_ns; /* the part that the evidence covers */
    bool is_cut;             /* it is a piece of the program's part (pieces.h) */
    int64_t schedulers;      /* that can run processes at a time; at least 1 */
    int64_t work_ns;         /* of all processes */
    struct sb_actor *actor;  /* by process.id, below n_actors */
    int64_t n_actors;
    int32_t *present;     /* process.id of those that lived in the part or did something in it; 0 ends them */
    struct sb_step *step; /* by process, then start */
    size_t n_steps;
    struct sb_letter *letter; /* by receiver, then time of receipt */
    size_t n_letters;
    uint32_t *by_sender;      /* the letters by sender, then time of sending */
    uint32_t *inbox, *outbox; /* by process.id: first in letter, first in by_sender; n_actors + 1 of them */
    struct sb_traffic *edge;  /* by sender, then receiver */
    size_t n_edges;
    uint32_t *pairs; /* by process.id: first in edge; n_actors + 1 of them */
    int64_t
        *serves; /* by process.id: a group that writes to it alone, and that it writes to in turn; 0: none */
    struct sb_turn *turn; /* by process.id: for grants.c, with zeros before and after */
    struct sb_level level;
};

#define SB_EACH_STEP(x, id, s) /* of a process */ \
    for (const struct sb_step *s = (x)->step + (x)->actor[id].first, *s##_end = s + (x)->actor[id].n; \
         s < s##_end; s++)

/* In order of id. The other processes of a run did nothing in this piece of it. */
#define SB_EACH_PRESENT(x, id) for (int64_t id##_at = 0, id; (id = (x)->present[id##_at]) > 0; id##_at++)

/* false: the trace has no slices, or no scheduler that runs them, so there is nothing to look at */
bool sb_evidence_find(const struct sb_profile *p, const struct sb_pieces *pieces, size_t piece,
                      const struct sb_evidence *run, struct sb_arena *a, struct sb_evidence *x);
/* The processes alone, of the program's part: no steps, no messages. It is `run` of its pieces, else that is NULL. */
bool sb_evidence_open(const struct sb_profile *p, struct sb_range part, struct sb_arena *a,
                      struct sb_evidence *x);
void sb_evidence_close(struct sb_evidence *x);

/* The last step of the process that began by then; NULL: none. */
const struct sb_step *sb_evidence_step_at(const struct sb_evidence *x, int64_t process, int64_t at);
/* NULL: no message was sent */
const struct sb_traffic *sb_evidence_edge(const struct sb_evidence *x, int64_t sender, int64_t receiver);
/* The number of messages that the process sent within [from, to). */
size_t sb_evidence_sent(const struct sb_evidence *x, int64_t process, int64_t from, int64_t to);
/* The receiver of the last of them; 0: none, or unknown. */
int32_t sb_evidence_sent_last(const struct sb_evidence *x, int64_t process, int64_t from, int64_t to);
/* Whether a process is the one of two that asks; false if that is unknown. */
bool sb_evidence_asks(const struct sb_evidence *x, int64_t process, int64_t other);
bool sb_evidence_sent_to(const struct sb_evidence *x, int64_t process, int64_t other, int64_t from,
                         int64_t to);
struct sb_str sb_evidence_text(const struct sb_evidence *x, int32_t text);

/* When it was received; where that is not in the trace, when it was sent. */
static inline int64_t
sb_evidence_receipt(const struct sb_letter *l)
{
    return l->received != SB_NULL ? l->received : l->sent;
}

static inline int64_t
sb_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
