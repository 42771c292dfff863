#include "cli/record/attached.h"
#include "cli/record/recording.h"

void
sb_attached_print_plan(const struct sb_record_options *how, const struct sb_attach_begun *b)
{
    sb_recording_print_plan(how, b->target->node.p);
    if (b->lacks_functions)
        sb_recording_note_functions();
    if (b->obstacle)
        fprintf(stderr,
                "strobe: no tracer can be loaded into %.*s: %s\n"
                "strobe: OTP's own trace port records instead: an event costs the node about ten times as "
                "much, the trace\n"
                "strobe: contains the messages themselves, there are no samples, and events are dropped (and "
                "counted) when its queue is full\n",
                SB_STR_ARG(b->target->node), b->obstacle);
    if (b->lease_ms)
        fprintf(stderr, "strobe: if strobe is killed, the node ends the recording by itself within %lld s\n",
                (long long)(b->lease_ms + 999) / 1000);
}

/* The closing line compares the node with what it was before. */
static void
print_left(const struct sb_attach_result *r)
{
    if (!r->compared) {
        if (r->node.n && r->left.n == 0)
            fprintf(stderr, "strobe: %.*s could not be looked at after the recording; no file is left here\n",
                    SB_STR_ARG(r->node));
    } else if (r->left.n == 0)
        fprintf(
            stderr,
            "strobe: %.*s is as before: no module, process, port, table, trace flag, session or file is left "
            "(%lld more atoms)\n",
            SB_STR_ARG(r->node), (long long)r->atoms);
    sb_recording_print_left(r->node, r->left.at, r->left.n);
}

void
sb_attached_print(const struct sb_attach_result *r, struct sb_look *look, bool recorded)
{
    if (r->trace.path) {
        sb_first_look(look, &r->trace);
        sb_recorded_print(&r->trace);
    }
    sb_cli_note(r->missing);
    if (recorded || r->trace.path || r->left.n) /* a refusal is one line, the error */
        print_left(r);
}
