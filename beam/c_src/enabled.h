/*
 * The answers to the VM's question whether an event is traced:
 *
 *     enabled_X(Tag, State, Tracee) -> trace | discard; remove once the capture is over
 *
 * TRACER_ENTRIES is the table of all callbacks of the tracer: each class has one for the question and one for the
 * event (events.h).
 */
#pragma once
#include "events.h"

void enabled_load(ErlNifEnv *env);

nif_function enabled, enabled_call, enabled_running;

#define TRACER_ENTRY_OF(name, enabled, trace) {"enabled" name, 3, enabled, 0}, {"trace" name, 5, trace, 0},
#define TRACER_ENTRY(name, trace) TRACER_ENTRY_OF(name, enabled, trace)
#define TRACER_ENTRIES \
    TRACER_ENTRY("", trace_other) \
    TRACER_ENTRY_OF("_call", enabled_call, trace_call) \
    TRACER_ENTRY("_send", trace_send) \
    TRACER_ENTRY("_receive", trace_receive) \
    TRACER_ENTRY("_procs", trace_procs) \
    TRACER_ENTRY("_ports", trace_ports) \
    TRACER_ENTRY_OF("_running_procs", enabled_running, trace_running) \
    TRACER_ENTRY("_running_ports", trace_running) \
    TRACER_ENTRY("_garbage_collection", trace_gc)
