/*
 * Which message of a mailbox a receive took.
 *
 * Equal messages of one sender arrive in order. How long one from another node is on its way is unknown, so if
 * several senders could have sent what is received, and one of them is on another node, the message and the
 * receive stay without a pair, and are counted as ambiguous. The VM stamps a send to another node when the message
 * has left, perhaps after its receive, which then has no send. So the next receive takes such a message only if it
 * comes much sooner after the stamp than the stamp came after the receive before.
 */
#pragma once
#include "engine/pass/mail.h"

enum { SB_MAIL_SEARCH = 256 }; /* the oldest messages among which one is searched */

static inline struct sb_sent *
sb_mail_at(const struct sb_mail *m, uint32_t i)
{
    return &m->at[(m->head + i) & (m->cap - 1)];
}

static inline uint32_t
sb_mail_fold(uint64_t z)
{
    return (uint32_t)(z ^ z >> 32);
}

/* Whether both may be the same message. A member that is unknown on one side is not compared. */
static inline bool
same(const struct sb_sent *s, const struct sb_event *got, uint32_t hash)
{
    if (s->hash == hash && s->alias == got->message.alias && s->ext == got->message.ext) /* the usual case */
        return true;
    if (s->hash != hash && s->hash && got->message.hash)
        return false;
    if (s->alias != got->message.alias && s->alias && got->message.alias)
        return false;
    return s->ext == got->message.ext || s->ext == SB_UNKNOWN || got->message.ext == SB_UNKNOWN;
}

static inline bool
sb_mail_fits(const struct sb_sent *s, const struct sb_event *got, uint32_t hash)
{
    return !s->taken && s->at <= got->at_ns && same(s, got, hash);
}

/* Returns the place of the first message that fits; m->n: none. */
uint32_t sb_mail_find(const struct sb_mail *m, const struct sb_event *got, uint32_t hash);
/* Whether another sender could have sent what is received, and one of both is on another node. Which of these is
 * taken stays open for those that are left, too. */
bool sb_mail_has_rivals(struct sb_mail *m, uint32_t i, const struct sb_event *got, uint32_t hash);
void sb_mail_remember(struct sb_mail *m,
                      const struct sb_event *got); /* keeps the last receives without a send */
/* Finds the receive that a message from another node may have ended although it is stamped later. */
void sb_mail_find_received_before(struct sb_mail *m, struct sb_sent *s);
bool sb_mail_was_received_before(const struct sb_sent *s,
                                 const struct sb_event *got); /* it is the likelier one */
