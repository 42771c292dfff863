/* Names of frames, and the text of a sampled stack, as the column stack.stack holds it: "a:f/1;'x;y':g/2", outermost
 * first. */
#pragma once
#include "base/str.h"

/* The pseudo function of a process that is off its scheduler: the one name in a call tree whose time is waiting. */
#define SB_SUSPEND SB_STR("suspend")

/* Removes and returns the next frame; a separator inside a quoted atom belongs to the frame. */
struct sb_str sb_frames_cut(struct sb_str *rest);
