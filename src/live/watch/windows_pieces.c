/*
 * Windows of rings that cannot be mapped here: the node ends them (beam/src/strobe_windows.erl). A copy of what its
 * rings have got in a window comes in pieces; an image of the rings is made of these. Questions about processes go with
 * the requests for pieces, since a command of --via takes its time.
 */
#include "base/signals.h"
#include "live/watch/windows.h"

enum { COPY_MAX = 64 << 20 };

struct fetched {
    struct sb_ring_image image;
    struct {
        char *at;
        size_t n, cap;
    } copy;             /* the pieces so far */
    bool asked;         /* a request is under way */
    bool has_question;  /* it goes with the next request */
    ei_x_buff question; /* encoded */
};

/* The events that cost as much as is allowed, if all were of the dearest class. */
static uint64_t
most_events(const struct sb_windows *w)
{
    enum { UNMEASURED_X100 = 100000 };
    uint64_t dearest = w->reader ? sb_ring_reader_dearest_x100(w->reader) : 0;
    uint64_t allowed_ns = (uint64_t)w->interval_ns / 1000 * w->permille;
    return allowed_ns * 100 / (dearest ? dearest : UNMEASURED_X100) + 1;
}

static bool
request(struct sb_windows *w, uint64_t most, struct sb_err *e)
{
    struct fetched *f = w->state;
    struct sb_peer_window ask = {.interval_ns = w->interval_ns,
                                 .most = most,
                                 .at = f->copy.n,
                                 .question = f->has_question ? &f->question : NULL};
    f->asked = true;
    f->has_question = false;
    return sb_peer_window(w->node, &ask, e);
}

static bool
add_piece(struct fetched *f, struct sb_str piece, struct sb_err *e)
{
    if (piece.n > COPY_MAX - f->copy.n)
        return sb_err_set(e, SB_ERR_INPUT, "the node sends more than its rings can hold");
    if (piece.n == 0)
        return true;
    SB_RESERVE(&f->copy, piece.n);
    memcpy(f->copy.at + f->copy.n, piece.p, piece.n);
    f->copy.n += piece.n;
    return true;
}

/* What happened between two windows shows who is there, and which process runs at the start of the next one. */
static bool
end_window(struct sb_windows *w, const struct sb_peer_answer *a, struct sb_err *e)
{
    if (a->from_ns > w->tally->from_ns) {
        SB_TRY(sb_windows_read(w, a->from_ns, e));
        sb_tally_begin_window(w->tally, a->from_ns);
    }
    SB_TRY(sb_windows_read(w, a->to_ns, e));
    sb_windows_end(w, a->to_ns);
    w->paused = a->paused;
    return true;
}

/* A question waits for the request before it, goes with its own, and its answer may come with the next one. */
static int64_t
longest_answer(const struct sb_peer *node)
{
    enum { REQUESTS = 3, LEAST_MS = 1000 };
    int64_t ms = node->line.slowest_ms > LEAST_MS ? node->line.slowest_ms : LEAST_MS;
    return ms * REQUESTS * 1000000;
}

/* `whole`: a window has come as a whole, and the image is as the rings were at its end. */
static bool
take_piece(struct sb_windows *w, const struct sb_peer_answer *a, bool *whole, struct sb_err *e)
{
    struct fetched *f = w->state;
    *whole = false;
    if (a->kind != SB_PEER_WINDOWED)
        return true;
    f->asked = false;
    w->answer_ns = longest_answer(w->node);
    SB_TRY(add_piece(f, a->text, e));
    *whole = a->last && a->to_ns != 0;
    if (!*whole)
        return true;
    bool ok = sb_windows_add_copy(w, &f->image, (struct sb_str){f->copy.at, f->copy.n}, e);
    f->copy.n = 0;
    return ok;
}

static bool
take(struct sb_windows *w, const struct sb_peer_answer *a, struct sb_err *e)
{
    bool whole;
    return take_piece(w, a, &whole, e) && (!whole || end_window(w, a, e));
}

/* A run of the user's command has ended, and none of its answers was to the request for a piece. */
static bool
is_unanswered(const struct sb_windows *w)
{
    const struct fetched *f = w->state;
    const struct sb_line *l = &w->node->line;
    return f->asked && l->type->is_silent && l->type->is_silent(l);
}

static bool
request_next(struct sb_windows *w, uint64_t most, struct sb_err *e)
{
    const struct fetched *f = w->state;
    if (is_unanswered(w))
        return sb_err_set(e, SB_ERR_SYSTEM, "the node does not send what is in its rings");
    return f->asked || request(w, most, e);
}

static bool
step(struct sb_windows *w, struct sb_err *e)
{
    return request_next(w, most_events(w), e);
}

static bool
ask(struct sb_windows *w, const struct sb_peer_question *q, struct sb_err *e)
{
    struct fetched *f = w->state;
    (void)e;
    f->question.index = 0;
    sb_peer_encode_question(&f->question, q);
    f->has_question = true;
    return true;
}

/* Waits for an answer. */
static bool
await(struct sb_windows *w, struct sb_peer_answer *a, struct sb_err *e)
{
    enum { STEP_MS = 50 };
    struct pollfd p[2];
    unsigned n = w->node->line.type->poll(&w->node->line, p);
    poll(p, n, STEP_MS);
    return sb_peer_take_answer(w->node, a, e) && sb_peer_beat(w->node, e);
}

/* The first copy, before any window, has the layout of the rings and the cost of events. */
static bool
open_pieces(struct sb_windows *w, const struct sb_attached *of, int64_t *from_ns, struct sb_err *e)
{
    struct fetched *f = w->state = sb_realloc_or_die(NULL, sizeof *f);
    struct sb_peer_answer a = {0};
    bool whole = false;
    *f = (struct fetched){0};
    ei_x_new(&f->question);
    while (!whole) {
        if (sb_signals_ask_to_stop(of->signals))
            return sb_err_set(e, SB_ERR_SYSTEM, "interrupted before the node had sent a window");
        SB_TRY(request_next(w, 0, e) && await(w, &a, e) && take_piece(w, &a, &whole, e));
    }
    w->reader = sb_ring_reader_open(&f->image.layout, false);
    *from_ns = a.to_ns;
    return true;
}

static void
close_pieces(struct sb_windows *w)
{
    struct fetched *f = w->state;
    sb_ring_image_close(&f->image);
    SB_VEC_FREE(&f->copy);
    ei_x_free(&f->question);
    free(f);
    w->state = NULL;
}

const struct sb_windows_way sb_windows_pieces = {open_pieces, close_pieces, step, take, ask};
