/* The facts of the summary: computed once, shown as rows, and used by the advice. */
#pragma once
#include "answer/answer.h"
#include "why/account/whole.h"
#include "profile/otp.h"
#include "why/program/phases.h"
#include "why/program/words.h"
#include "why/run/vm_work.h"

enum { SB_FACTS_MINOR = 100 }; /* a time below this part of the run is minor */

struct sb_facts_range { /* within the run; without --since and --until, the whole run */
    bool is_part;
    int64_t from_ns, to_ns;
};

/* In a range of time, a figure is of the range, and facts that are only known of the whole run are left out. */
struct sb_facts {
    struct sb_facts_range range;
    int64_t span_ns, processes, events; /* events: SB_NULL in a range */
    int64_t schedulers;                 /* that can run processes; 0: unknown */
    int64_t run_ns, gc_ns, dirty_ns, dirty_gc_ns, handover_ns, wait_ns,
        unknown_ns;          /* of all processes; SB_NULL: not recorded */
    struct sb_bounded ready; /* summed over processes */
    struct {
        int64_t sent, received, words, words_at_least;
        int64_t from_ports;
        int64_t to_nobody; /* sent to names whose owner is unknown; 0 in a range */
    } messages;
    bool has_running;
    bool timed;                   /* the trace had time stamps */
    struct sb_parallel *together; /* the number at work at once; empty without has_running */
    struct sb_parallel *program;  /* the same for the part of the run with code of a program; `together` in a
                                     range and if there is none */
    struct sb_program part;       /* when that was */
    /* with only code_server or erl_prim_loader at work; not part of alone_ns */
    int64_t loading_ns;
    int64_t serial_process;  /* process.id, most often at work alone but for these; SB_NULL: unknown */
    int64_t serial_share_ns; /* its run time within the serial time */
};
bool sb_facts_find(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e);
bool sb_facts_put(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e);
/* facts_within.c: fails if nothing of the run is in the range */
bool sb_facts_find_range(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e);
/* the sums of a range: processes that existed, their states, messages; needs find_range */
bool sb_facts_find_within(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e);
/* facts_times.c: the facts about time; they need has_running */
bool sb_facts_put_program(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t,
                          struct sb_err *e); /* when it ran, and whether it got CPU */
void sb_facts_put_parallel(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t);
bool sb_facts_put_idle(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t,
                       struct sb_err *e); /* what it did instead of its work */

#define SB_FACTS_LOADERS "('code_server', 'erl_prim_loader')" /* the processes that load code, in SQL */

/* facts_trigger.c: why the trace of a flight recorder was written */
bool sb_facts_put_triggers(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t,
                           struct sb_err *e);
/* events times their cost as measured before the recording; SB_NULL: unknown */
bool sb_facts_tracing(const struct sb_ask *ask, int64_t *cpu_ns, struct sb_err *e);
/* Samples of the CPU of the program, or within the range that is asked for. */
void sb_facts_samples(const struct sb_ask *ask, const struct sb_facts *f, struct sb_vm_samples *v);

static inline const char *
sb_facts_who(const struct sb_ask *ask, int64_t process) /* readable name and pid */
{
    return sb_words_who(ask->arena, ask->profile, process, ask->q->elixir);
}

static inline int64_t
sb_facts_ppm(int64_t part, int64_t whole)
{
    return whole > 0 && part != SB_NULL ? (int64_t)((__int128)part * 1000000 / whole) : SB_NULL;
}

/* What holds the run back most, each with the command that shows it; else that nothing does, and where the
 * time went. */
bool sb_advice_put(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e);
