/* Text in lines of limited width. */
#ifndef SB_ANSWER_WRAP_H
#define SB_ANSWER_WRAP_H
#include "base/file.h"

/* Writes the words of the text and ends the line; `indent` is the width of what is written before the text. */
void sb_wrap(struct sb_str text, size_t indent, size_t width, struct sb_out *out);

#endif
