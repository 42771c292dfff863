/* Shared by `record` and `attach`: the options of a recording, and the lines about it before and after. */
#ifndef SB_CLI_RECORDING_H
#define SB_CLI_RECORDING_H
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
void sb_recorded_print(const struct sb_recorded *v); /* the command that shows it comes before the counts */
/* The command that opens several traces as one profile. */
void sb_recorded_print_all(const char *const *trace, size_t n, struct sb_arena *a);
void sb_recorded_print_rings(const struct sb_recorded *v); /* what an incomplete trace left in memory */
void sb_recording_print_left(struct sb_str node, const struct sb_str *left,
                             size_t n); /* what could not be removed */

#endif
