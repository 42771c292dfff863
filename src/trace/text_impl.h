/* Words of the text form, shared by the reader and the printer. */
#pragma once
#include "base/str.h"
#include "trace/event.h"

struct sb_text_flag {
    const char *word; /* NULL marks the end */
    enum sb_event_flag flag;
};
extern const struct sb_text_flag sb_text_flags[];

/* Takes the next word off *line, up to a blank outside of quotes. Empty at the end of the line. */
struct sb_str sb_text_word(struct sb_str *line);
