/* The words of the text form that both ways share. */
#ifndef SB_TRACE_TEXT_IMPL_H
#define SB_TRACE_TEXT_IMPL_H
#include "base/str.h"
#include "trace/event.h"

struct sb_text_flag {
    const char *word; /* NULL ends the list */
    enum sb_event_flag flag;
};
extern const struct sb_text_flag sb_text_flags[];

/* Takes the next word off *line: up to a blank that stands in no quotes. Empty at the end of the line. */
struct sb_str sb_text_word(struct sb_str *line);

#endif
