/* Takes names out of a compiled module that only debuggers and crash reports show. */
#pragma once
#include "base/str.h"

/*
 * Gives functions that are not exported, and funs, one name that every VM has: an atom stays in a node for good, and
 * these names are most of the atoms of a module. `atoms` is the chunk AtU8 of the module; the new one is written to
 * `to`, which has room for SB_BEAM_NAMES_GROWTH times as much. Returns its size; 0 if the module is not understood, and
 * is to be left as it is.
 */
enum { SB_BEAM_NAMES_GROWTH = 3 }; /* an atom of one letter takes two bytes, the name that replaces it six */
size_t sb_beam_names_shorten(uint8_t *to, const uint8_t *module, size_t n, struct sb_str atoms);
