/* The states of a process over time, from state.def. */
#pragma once
#include "base/str.h"

enum sb_state {
#define STATE(id, name, doc) SB_STATE_##id,
#include "profile/state.def"
#undef STATE
    SB_STATES,
};

struct sb_str sb_state_name(enum sb_state s); /* as in the state table */
