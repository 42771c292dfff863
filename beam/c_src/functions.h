/*
 * Which function the code at each address is of, for samples of the CPU of a node without +JPperf map, which makes code
 * keep frame pointers and run slower. The VM's own look-up says it; a VM that does not export that look-up, as the one
 * of OTP 29, says nothing.
 */
#pragma once
#include "nif.h"

/* loaded(): a number that changes when code is loaded, and the CPU time of the VM in milliseconds; `unknown`: the VM
 * exports no look-up. */
nif_function nif_loaded;

/* functions(At): {Next, Lines} with lines as in the map of the VM, for the code from At up to Next, or 0 at the end.
 * Takes about a millisecond, and no longer, since code may be loaded only when it has returned. */
nif_function nif_functions;
