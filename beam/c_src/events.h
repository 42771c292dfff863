/* The tracer: the NIFs that the VM calls (enabled_X and trace_X of each class), and emit for events made
 * in Erlang. */
#ifndef STROBE_EVENTS_H
#define STROBE_EVENTS_H
#include "capture.h"

bool events_load(ErlNifEnv *env);

typedef ERL_NIF_TERM nif_function(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
nif_function enabled, enabled_call, trace_other, trace_call, trace_send, trace_receive, trace_procs,
    trace_ports, trace_running, trace_gc, nif_emit;

#define TRACER_ENTRY_OF(name, enabled, trace) {"enabled" name, 3, enabled, 0}, {"trace" name, 5, trace, 0},
#define TRACER_ENTRY(name, trace) TRACER_ENTRY_OF(name, enabled, trace)
#define TRACER_ENTRIES                                                                                       \
    TRACER_ENTRY("", trace_other)                                                                            \
    TRACER_ENTRY_OF("_call", enabled_call, trace_call)                                                       \
    TRACER_ENTRY("_send", trace_send)                                                                        \
    TRACER_ENTRY("_receive", trace_receive)                                                                  \
    TRACER_ENTRY("_procs", trace_procs)                                                                      \
    TRACER_ENTRY("_ports", trace_ports)                                                                      \
    TRACER_ENTRY("_running_procs", trace_running)                                                            \
    TRACER_ENTRY("_running_ports", trace_running)                                                            \
    TRACER_ENTRY("_garbage_collection", trace_gc)

#endif
