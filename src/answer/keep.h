/*
 * Answers about a whole run that take long on a large profile are kept: while the profile is open, and in a file beside
 * it, P.sbp.answers. The file is used only with the profile, the program and the calibration that it was made with;
 * whatever else it holds, or where none can be written, the answers are computed. Any thread may ask.
 */
#pragma once
#include "profile/profile.h"

struct sb_keep_key {
    const char *name;               /* of the answer */
    bool elixir;                    /* with names as Elixir writes them */
    const struct sb_column *column; /* those that it may have; ends at the first without a name */
    bool is_exact;                  /* code finds cells by their place and writes texts as they are */
};

/* Fills `t`, which has an arena, with all rows of the answer, in no order. false: it is not kept. */
bool sb_keep_find(const struct sb_profile *p, const struct sb_keep_key *key, struct sb_table *t);
/* Keeps it, with others; does nothing where the profile is small or damaged. */
void sb_keep_put(const struct sb_profile *p, const struct sb_keep_key *key, const struct sb_table *t);
/* Whether answers of this profile are kept at all: those of a small one are computed faster than they are read. */
bool sb_keep_is_wanted(const struct sb_profile *p);
/* Writes what was put since the file was read. */
void sb_keep_write(const struct sb_profile *p);
