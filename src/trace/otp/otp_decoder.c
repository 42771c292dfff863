/* A thread creates a decoder when it finds none idle. Decoders last as long as the trace, to keep their
 * caches. */
#include "trace/otp/otp_impl.h"

struct otp_decoder *
otp_borrow(struct sb_source *s)
{
    struct otp_state *st = s->state;
    pthread_mutex_lock(&st->lock);
    struct otp_decoder *d = st->idle;
    if (d)
        st->idle = d->next_idle;
    pthread_mutex_unlock(&st->lock);
    if (d)
        return d;
    d = sb_zeroed_or_die(1, sizeof *d);
    d->names = s->names;
    d->state = st;
    d->keep_text = s->options.keep_text;
    return d;
}

void
otp_give_back(struct sb_source *s, struct otp_decoder *d)
{
    struct otp_state *st = s->state;
    pthread_mutex_lock(&st->lock);
    d->next_idle = st->idle;
    st->idle = d;
    pthread_mutex_unlock(&st->lock);
}

void
otp_free_decoders(struct otp_state *st)
{
    while (st->idle) {
        struct otp_decoder *d = st->idle;
        st->idle = d->next_idle;
        free(d);
    }
}
