/* Shared by `record` and `attach`: the options of a recording, and the lines about it before and after. */
#ifndef SB_CLI_RECORDING_H
#define SB_CLI_RECORDING_H
#include "cli/cli.h"
#include "live/record.h"

struct sb_recording_options {
    struct sb_record_options o;
    struct sb_option_list modules, apps, when;
    uint64_t level, keep;
    unsigned report; /* enum sb_first_look_when */
};

#define SB_RECORDING_DEFAULTS                                                                                \
    {                                                                                                        \
        .o = {.trace = "strobe.sbt", .what = {.classes = "all", .buffer = 64 << 20}}, .level = 1,            \
        .keep = SB_FLIGHT_KEEP                                                                               \
    }
/* The options themselves are rows of recording.def. */
sb_words sb_recording_class; /* the classes that can be recorded, as --trace names them */

/* Checks the options of this command, and completes `r->o`. Returns 0, or an exit code when it has printed
 * what is wrong. */
int sb_recording_check(struct sb_recording_options *r, const char *command, struct sb_arena *a);
void sb_recording_free(struct sb_recording_options *r);
/* Prints, before anything runs, what is recorded, where to, and when it stops. */
void sb_recording_print_plan(const struct sb_record_options *o, const char *of);
void sb_recorded_print(const struct sb_recorded *v);
void sb_recording_print_next(const char *trace); /* the command that shows it */
void sb_recording_print_left(struct sb_str node, const struct sb_str *left,
                             size_t n); /* what could not be removed */

#endif
