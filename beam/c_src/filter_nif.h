/*
 * Replaces filters: a new set is published next to the old one. Only the owner of the capture does this. The
 * tracer's threads read the set without a lock; the old one is freed when every thread has been outside.
 */
#pragma once
#include "nif.h"

/* filter(Scope, Pids, Program) -> ok | {error, Reason} */
nif_function nif_filter;
/* filter_run(Program, Event) -> true | false | unknown | binary(): runs a program on a tuple */
nif_function nif_filter_run;
