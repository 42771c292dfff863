/*
 * Copies of the rings for `strobe top', where the program that shows them cannot map them (trace/sbt/ring_image.h):
 *
 *     rings(Path) -> {ok, Rings} | {error, Text}       takes the place of the drain
 *     look(Rings) -> {Clock, Events}                   the clock of events, and their number so far
 *     copy(Rings) -> {Clock, Binary} | {error, Text}   what has come since the last copy, up to this time at least
 *
 * One process uses a reference at a time. The rings are closed with the last one.
 */
#pragma once
#include "../nif.h"
#include <stdbool.h>

bool sb_copy_nif_load(ErlNifEnv *env);
nif_function sb_nif_rings, sb_nif_look, sb_nif_copy;
