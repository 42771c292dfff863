/* Shared by `record` and `attach`: the options of a recording, and the lines about it before and after. */
#pragma once
#include "cli/frame/cli.h"
#include "cli/record/first_look.h"
#include "live/record/record.h"

struct sb_recording_options {
    struct sb_record_options o;
    struct sb_option_list modules, apps, when;
    uint64_t level, keep, rate;
    uint64_t runs;       /* of `record`; 0: one, as a trace and not a folder */
    const char *against; /* a command to run in turns */
    const char *nodes;   /* of `record`: running nodes, with a comma between two */
    bool force;          /* also those in trouble */
    struct sb_look look;
};

#define SB_RECORDING_DEFAULTS \
    { \
        .o = {.trace = "strobe.sbt", .what = {.classes = "all", .buffer = 64 << 20}}, .level = 1, \
        .keep = SB_FLIGHT_KEEP, .rate = 997 \
    }
/* The options themselves are rows of recording.def. */
sb_word_at sb_recording_class; /* the classes that can be recorded, as --trace names them */

/* Checks the options of this command, and completes `r->o`. Returns 0, or an exit code when it has printed
 * what is wrong. */
int sb_recording_check(struct sb_recording_options *r, const char *command, struct sb_arena *a);
void sb_recording_free(struct sb_recording_options *r);
/* Prints, before anything runs, what is recorded, where to, and when it stops. */
void sb_recording_print_plan(const struct sb_record_options *o, const char *of);
/* Samples of the CPU cannot tell the functions of Erlang of a node that runs already. */
void sb_recording_note_functions(void);
void sb_recorded_print_next(const char *trace);      /* the command that shows it */
void sb_recorded_print(const struct sb_recorded *v); /* the command that shows it comes before the counts */
/* The command that opens several traces as one profile. */
void sb_recorded_print_all(const char *const *trace, size_t n, struct sb_arena *a);
void sb_recorded_print_rings(const struct sb_recorded *v); /* what an incomplete trace left in memory */
void sb_recording_print_left(struct sb_str node, const struct sb_str *left,
                             size_t n); /* what could not be removed */

/*
 * `strobe record --runs`: a folder of runs of a command, in turns with those of another one.
 *
 * Records `r->runs` runs of its command as N.sbt in the folder `r->o.trace`, and as many of `r->against`, a line for
 * the shell, in the folder `against` there. Forth and back, so that a slow change of the machine favours neither. Ends
 * with the first run that fails. Prints what it does on stderr; returns the exit code.
 */
int sb_record_runs(struct sb_recording_options *r, struct sb_arena *a);

/*
 * `strobe record --nodes`: nodes that run already are recorded as well, from before the command starts until it has
 * ended. The recording of the command and that of each node are processes of their own:
 *
 *     record ──fork──> attach a@h, attach b@h, ... ; when each records or refuses ──fork──> record of the command
 *
 * The callback records the command and puts the paths of its traces into `traces`, a NUL after each. Both return
 * the exit code.
 */
typedef int sb_record_command(struct sb_recording_options *r, struct sb_out *traces, struct sb_arena *a);
int sb_record_nodes(struct sb_recording_options *r, sb_record_command *command, struct sb_arena *a);
