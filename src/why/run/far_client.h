/*
 * Clients of a node that was not recorded, where nobody's wait is seen. A process of it is a client if it makes a call,
 * which its message shows, or if a message that names it has an answer before the server waits for the next one.
 */
#pragma once
#include "why/run/evidence.h"

/* Whether the process received a message that names one. */
bool sb_far_asks(const struct sb_evidence *x, int64_t process);
/* The function, a text, of more than half of the waits for messages, if there is one; 0: there are no such waits. */
int32_t sb_far_home(const struct sb_evidence *x, int64_t process);
/* Whether a letter to its client answers a request, which the server could begin with at that moment. */
bool sb_far_is_answer(const struct sb_evidence *x, int64_t process, int32_t home,
                      const struct sb_letter *request, const struct sb_letter *reply, int64_t begin);
