/*
 * A capture whose owner ended without closing it. The guard process ends such a capture, unless it died together with
 * the owner: killed too, or purged with their module. So the tracer monitors the owner itself. It stops recording,
 * after which the VM removes the flags of a process at its next event, and marks the rings as complete for the drain.
 * The rings stay mapped, since other processes of the session may still ask for them, until the guard or the next
 * recording closes them.
 */
#pragma once
#include <erl_nif.h>
#include <stdbool.h>

bool orphan_load(ErlNifEnv *env);
void orphan_watch(ErlNifEnv *env); /* the calling process is the owner */
void orphan_forget(void);          /* the capture is closed */
bool orphan_is(void);              /* whether the capture is open and its owner has ended */
