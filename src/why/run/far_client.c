#include "why/run/far_client.h"
#include "base/order.h"

bool
sb_far_asks(const struct sb_evidence *x, int64_t process)
{
    size_t i = x->inbox[process], end = x->inbox[process + 1];
    while (i < end && x->letter[i].asker <= 0)
        i++;
    return i < end;
}

int32_t
sb_far_home(const struct sb_evidence *x, int64_t process)
{
    int32_t home = 0;
    int64_t lead = 0;
    SB_EACH_STEP (x, process, step) {
        if (step->wait != SB_WAIT_IDLE && step->wait != SB_WAIT_OUTSIDE)
            continue;
        home = lead == 0 ? step->out : home;
        lead += step->out == home ? 1 : -1;
    }
    return home;
}

static bool
received(const struct sb_evidence *x, int64_t process, int64_t from, int64_t to)
{
    uint32_t lo = x->inbox[process], end = x->inbox[process + 1], hi = end;
    SB_SEARCH(lo, hi, sb_evidence_receipt(&x->letter[mid]) < from);
    return lo < end && sb_evidence_receipt(&x->letter[lo]) <= to;
}

/* Whether the server was at home between the two moments, and so done with what it had fetched. A process that yields
 * there may seem to wait: it goes on with what it has, and fetches nothing. */
static bool
was_home(const struct sb_evidence *x, int64_t process, int32_t home, int64_t from, int64_t to)
{
    const struct sb_step *step = x->step;
    uint32_t lo = x->actor[process].first, end = lo + x->actor[process].n, hi = end;
    SB_SEARCH(lo, hi, step[mid].start + step[mid].dur < from);
    for (; lo < end && step[lo].start + step[lo].dur < to; lo++) {
        int64_t until = step[lo].start + step[lo].dur + step[lo].wait_ns;
        bool waits = step[lo].wait_ns > 0 && step[lo].out == home;
        if (waits && (step[lo].wait == SB_WAIT_TIMER || received(x, process, until, to)))
            return true;
    }
    return false;
}

/* Another process answers for the server if the server gave it the request, or started it for that. */
static bool
answers_for(const struct sb_evidence *x, int64_t process, const struct sb_letter *request,
            const struct sb_letter *reply)
{
    const struct sb_actor *by = &x->actor[reply->sender];
    return (by->parent == process && by->start != SB_NULL && by->start >= request->received) ||
           sb_evidence_sent_to(x, process, reply->sender, request->received, reply->sent);
}

bool
sb_far_is_answer(const struct sb_evidence *x, int64_t process, int32_t home, const struct sb_letter *request,
                 const struct sb_letter *reply, int64_t begin)
{
    if (request->sender > 0)
        return true;
    if (reply->sender != process)
        return answers_for(x, process, request, reply);
    return request->is_call || !was_home(x, process, home, begin, reply->sent);
}
