/* Does the profile beside a trace belong to that trace? Two traces can share the name of a profile (app.trace and
 * app.sbt), and a trace can be replaced by an older one. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { SB_TRACE_IDENTITY_MAX = 512 };
/* Describes a trace by its length, its head and tail, and its name; empty for a trace of several files. */
void sb_trace_identity(const char *trace, char identity[SB_TRACE_IDENTITY_MAX]);

enum sb_kept {
    SB_KEPT_NONE,  /* no profile, or one of an earlier state of the trace */
    SB_KEPT_FITS,  /* its profile; one that states no trace counts as such if it is newer */
    SB_KEPT_OTHERS /* the profile of another trace */
};
enum sb_kept sb_kept(const char *profile, const char *trace, const char *identity);
