#include "engine/pass/mail_find.h"
#include "base/arena.h"

enum {
    LATE_NS = 100000000, /* most that a stamp of a send is late */
    MUCH = 3             /* much sooner: in less than an eighth of the time */
};

uint32_t
sb_mail_find(const struct sb_mail *m, const struct sb_event *got, uint32_t hash)
{
    uint32_t n = m->n < SB_MAIL_SEARCH ? m->n : SB_MAIL_SEARCH;
    for (uint32_t i = 0; i < n; i++)
        if (sb_mail_fits(sb_mail_at(m, i), got, hash))
            return i;
    return m->n;
}

bool
sb_mail_has_rivals(struct sb_mail *m, uint32_t i, const struct sb_event *got, uint32_t hash)
{
    const struct sb_sent *first = sb_mail_at(m, i);
    bool open = first->doubtful;
    for (uint32_t k = i + 1; hash && k < m->n && k < SB_MAIL_SEARCH; k++) {
        struct sb_sent *s = sb_mail_at(m, k);
        if (!sb_mail_fits(s, got, hash) || s->hash != hash)
            continue;
        s->doubtful |= first->doubtful || (s->sender != first->sender && (s->abroad || first->abroad));
        open |= s->doubtful;
    }
    return open;
}

void
sb_mail_find_received_before(struct sb_mail *m, struct sb_sent *s)
{
    for (unsigned i = 0; m->unsent && i < SB_UNSENT && s->hash; i++) {
        struct sb_unsent *got = &m->unsent[i];
        if (got->hash != s->hash || s->at - got->at > LATE_NS ||
            (got->ext != s->ext && got->ext != SB_UNKNOWN && s->ext != SB_UNKNOWN))
            continue;
        s->late_bits = (uint8_t)(64 - __builtin_clzll((uint64_t)(s->at - got->at) | 1));
        *got = (struct sb_unsent){0};
        return;
    }
}

bool
sb_mail_was_received_before(const struct sb_sent *s, const struct sb_event *got)
{
    return s->late_bits && (got->at_ns - s->at) >> (s->late_bits > MUCH ? s->late_bits - MUCH : 0) > 0;
}

void
sb_mail_remember(struct sb_mail *m, const struct sb_event *got)
{
    if (!m->unsent)
        m->unsent = sb_zeroed_or_die(SB_UNSENT, sizeof *m->unsent);
    memmove(m->unsent + 1, m->unsent, (SB_UNSENT - 1) * sizeof *m->unsent);
    m->unsent[0] = (struct sb_unsent){got->at_ns, got->message.ext, sb_mail_fold(got->message.hash)};
}

bool
sb_mail_was_sent(const struct sb_mail *m, const struct sb_event *got)
{
    return sb_mail_find(m, got, sb_mail_fold(got->message.hash)) < m->n;
}
