/* Queries of other passes about a mailbox. */
#pragma once
#include "engine/state/proc.h"

/* The message was sent to an alias that has had its answer; it is dropped. */
static inline bool
sb_mail_is_late(const struct sb_mail *m, const struct sb_event *sent)
{
    return sent->message.alias && sent->message.alias == m->answered;
}

/* Whether a process is known to have sent the message that p->mail's owner is about to receive. If so, the
 * VM did not generate it, whatever its form: init sends {'EXIT', Pid, Reason} to every process when it
 * stops. */
bool sb_mail_was_sent(const struct sb_mail *m, const struct sb_event *got);
