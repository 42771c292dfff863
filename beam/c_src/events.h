/* The tracer: the NIFs that the VM calls (enabled_X and trace_X of each class), and emit for events made
 * in Erlang. */
#pragma once
#include "capture.h"

bool events_load(ErlNifEnv *env);

nif_function trace_other, trace_call, trace_send, trace_receive, trace_procs, trace_ports, trace_running,
    trace_gc, nif_emit;
/* Records a switch of a process whose heap has no room (room.h), with the arguments of trace_running but for its term.
 * `fn`: NULL if unknown. */
void trace_full(ErlNifEnv *env, const ERL_NIF_TERM argv[], const struct room_function *fn);
