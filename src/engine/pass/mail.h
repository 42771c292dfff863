/* What other passes ask of a mailbox. */
#ifndef SB_ENGINE_MAIL_H
#define SB_ENGINE_MAIL_H
#include "engine/state/proc.h"

/* Whether somebody is known to have sent the message that p->mail's owner takes now, before it is taken. Such
   a message is not the VM's, whatever it looks like: init sends {'EXIT', Pid, Reason} to everybody when it
   stops. */
bool sb_mail_was_sent(const struct sb_mail *m, const struct sb_event *got);

#endif
