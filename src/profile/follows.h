/*
 * Tables that a file leaves out because they follow from others: migration from slice and event, and message_edge
 * from message where most pairs exchange few messages (engine/edges/edge_tables.c decides). Whoever asks for such a
 * table first has it computed, packed as in a file and in memory; it lives as long as the profile.
 */
#pragma once
#include "profile/profile.h"

static inline bool
sb_follows(enum sb_tab t)
{
    return t == SB_T_migration || t == SB_T_message_edge;
}
/* A profile, as the bytes of its file, that holds the table alone; the caller frees them. */
char *sb_follows_bytes(const struct sb_profile *p, enum sb_tab t, size_t *n);
