/*
 * The bytes that a table has at least for its rows. A block of equal values has no codes, so a few bytes could claim
 * many rows, which readers take memory and time for. Rows of recordings are further apart than this bound demands.
 * Where they are not, as in a trace without time stamps of a program that repeats itself, the writer adds a column of
 * zeros. So a profile whose rows have fewer bytes was not written by strobe.
 */
#pragma once
#include "profile/schema.h"

#define SB_PADDING "padding" /* the name of that column, which no reader knows */

#define SB_TOO_MANY UINT64_MAX                           /* no profile has so many rows of this table */
uint64_t sb_padding_least(enum sb_tab t, uint64_t rows); /* bytes of blocks and dictionaries */
/* Bits a row of padding for a table whose columns have these bytes; 0: it needs none. */
unsigned sb_padding_bits(enum sb_tab t, uint64_t rows, uint64_t bytes);
