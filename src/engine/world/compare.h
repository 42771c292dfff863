/* The order of items with equal stamps. */
#pragma once
#include "engine/state/run.h"

/* Sorts each run of equal stamps in items that are already in time order. */
void sb_compare_ties(const struct sb_names *names, struct sb_items *v);
void sb_compare_sort(const struct sb_names *names, struct sb_items *v); /* items in any order */
