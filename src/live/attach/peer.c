#include "live/attach/peer.h"
#include "base/progress.h"
#include "live/attach/push.h"
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 64 << 10, ANSWER_MS = 20000, TRIES = 100, TRY_US = 20000, RUNS = 5, END_REPLIES = 1000 };
enum { FETCH = 128 << 10, FETCH_MS = 200, VIA_FETCH = 1 << 20 };

static const char *const reply_names[] = {
    [SB_PEER_OK] = "ok",
    [SB_PEER_NODE] = "node",
    [SB_PEER_RECORDING] = "recording",
    [SB_PEER_RECORDED] = "recorded",
    [SB_PEER_FETCHED] = "fetched",
    [SB_PEER_WATCHED] = "watched",
    [SB_PEER_WINDOWED] = "windowed",
    [SB_PEER_TRACED] = "traced",
    [SB_PEER_ERROR] = "error",
    [SB_PEER_LEFT] = "left",
};

/* ---- answers */

struct reply {
    enum sb_peer_reply kind;
    struct sb_str text;
    int at; /* what follows the name, in the message */
};

static bool
puzzled(const struct sb_peer *n, struct sb_err *e)
{
    return sb_err_set(e, SB_ERR_SYSTEM, "%.*s gave an answer that strobe does not understand",
                      SB_STR_ARG(n->target->node));
}

/* {strobe, ok} or {strobe, {Name, ...}} */
static bool
parse(struct sb_peer *n, int at, struct reply *r)
{
    const struct sb_dist *l = &n->link;
    int arity;
    if (!sb_dist_tuple(l, &at, 2) || !sb_dist_atom(l, &at, "strobe"))
        return false;
    *r = (struct reply){.kind = SB_PEER_OK};
    if (sb_dist_atom(l, &at, "ok"))
        return true;
    if (ei_decode_tuple_header(l->message.buff, &at, &arity) < 0)
        return false;
    for (unsigned k = SB_PEER_NODE; k <= SB_PEER_LEFT; k++)
        if (sb_dist_atom(l, &at, reply_names[k])) {
            *r = (struct reply){.kind = (enum sb_peer_reply)k, .at = at};
            r->text = sb_dist_binary(l, &at);
            if (k != SB_PEER_FETCHED && k != SB_PEER_WATCHED && k != SB_PEER_WINDOWED) /* too many to copy */
                r->text = sb_arena_str(n->a, r->text);
            return true;
        }
    return false;
}

/* {left, [Text], AtomsMore} */
static bool
take_left(struct sb_peer *n, int at)
{
    const char *p = n->link.message.buff;
    int count;
    if (ei_decode_list_header(p, &at, &count) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        struct sb_str text = sb_dist_binary(&n->link, &at);
        if (!text.n)
            return false;
        *SB_PUSH(&n->left) = sb_arena_str(n->a, text);
    }
    if (count > 0 && (ei_decode_list_header(p, &at, &count) < 0 || count != 0))
        return false;
    n->left_known = true;
    return ei_decode_long(p, &at, &n->atoms_more) == 0;
}

/* ---- answers of a command */

/* Takes the answers of a run; `any`: it has ended. */
static bool
take_run(struct sb_peer *n, int patience_ms, bool *any, struct sb_err *e)
{
    int version;
    n->answers = n->answers_at = 0;
    SB_TRY(sb_via_receive(&n->via, patience_ms, any, &n->link.message, e));
    if (!*any)
        return true;
    if (ei_decode_version(n->link.message.buff, &n->answers_at, &version) < 0 ||
        ei_decode_list_header(n->link.message.buff, &n->answers_at, &n->answers) < 0)
        return puzzled(n, e);
    return true;
}

static bool
await_run(struct sb_peer *n, struct sb_err *e)
{
    for (bool any = !n->via.runs; !any;)
        SB_TRY(take_run(n, SB_PEER_VIA_WAIT_MS, &any, e));
    return true;
}

/* Starts the command with a request; NULL: only for answers. What a live view has asked for is dropped. */
static bool
start_run(struct sb_peer *n, const ei_x_buff *request, int wait_ms, struct sb_err *e)
{
    SB_TRY(await_run(n, e));
    n->beat_ns = sb_clock_ns();
    n->answers = 0;
    return sb_via_send(&n->via, request, wait_ms, e);
}

static bool
take_answer(struct sb_peer *n, struct reply *r, struct sb_err *e)
{
    if (n->answers == 0 && !n->via.runs)
        SB_TRY(start_run(n, NULL, 0, e));
    SB_TRY(await_run(n, e));
    int at = n->answers_at;
    if (n->answers == 0 || !sb_dist_skip(&n->link.message, &n->answers_at) || !parse(n, at, r))
        return puzzled(n, e);
    n->answers--;
    return r->kind != SB_PEER_LEFT || take_left(n, r->at) || puzzled(n, e);
}

static bool
beat_by_run(struct sb_peer *n, struct sb_err *e)
{
    ei_x_buff x;
    struct sb_str text;
    if (n->via.runs || sb_clock_ns() - n->beat_ns < sb_via_lease_ms(&n->via) * 1000000 / 2)
        return true;
    ei_x_new_with_version(&x);
    ei_x_encode_atom(&x, "beat");
    bool ok = sb_peer_ask(n, &x, SB_PEER_OK, &text, e);
    ei_x_free(&x);
    return ok;
}

/* ---- answers by the connection */

bool
sb_peer_beat(struct sb_peer *n, struct sb_err *e)
{
    int64_t now = sb_clock_ns();
    if (n->target->via)
        return beat_by_run(n, e);
    if (now - n->beat_ns < (int64_t)SB_PEER_BEAT_MS * 1000000)
        return true;
    ei_x_buff x;
    ei_x_new_with_version(&x);
    ei_x_encode_atom(&x, "beat");
    bool ok = sb_dist_send(&n->link, &n->keeper, &x, e);
    ei_x_free(&x);
    n->beat_ns = now;
    return ok;
}

static bool
receive(struct sb_peer *n, bool *any, struct reply *r, struct sb_err *e)
{
    int at;
    SB_TRY(sb_dist_receive(&n->link, any, &at, e));
    *any = *any && parse(n, at, r);
    if (*any && r->kind == SB_PEER_LEFT && !take_left(n, r->at))
        return puzzled(n, e);
    return true;
}

/* Waits for the next answer, and sends beats meanwhile. */
static bool
next_reply(struct sb_peer *n, struct reply *r, struct sb_err *e)
{
    if (n->target->via)
        return take_answer(n, r, e);
    for (int64_t start = sb_clock_ns(); sb_clock_ns() - start < (int64_t)ANSWER_MS * 1000000;) {
        struct pollfd p = {.fd = n->link.fd, .events = POLLIN};
        bool any = false;
        SB_TRY(sb_peer_beat(n, e));
        if (poll(&p, 1, SB_PEER_BEAT_MS) > 0)
            SB_TRY(receive(n, &any, r, e));
        if (any)
            return true;
    }
    return sb_err_set(e, SB_ERR_SYSTEM, "%.*s does not answer any more", SB_STR_ARG(n->target->node));
}

static bool
killed(const struct sb_peer *n, struct sb_err *e)
{
    sb_err_set(e, SB_ERR_SYSTEM, "the part of strobe in %.*s was killed", SB_STR_ARG(n->target->node));
    return sb_err_advise(e, "the trace ends there");
}

static bool
expect(struct sb_peer *n, enum sb_peer_reply wanted, struct reply *r, struct sb_err *e)
{
    SB_TRY(next_reply(n, r, e));
    if (r->kind == wanted)
        return true;
    if (r->kind == SB_PEER_ERROR)
        return sb_err_set(e, SB_ERR_SYSTEM, "%.*s", SB_STR_ARG(r->text));
    if (r->kind == SB_PEER_LEFT)
        return killed(n, e);
    return puzzled(n, e);
}

bool
sb_peer_take(struct sb_peer *n, struct sb_err *e)
{
    struct reply r;
    bool any;
    if (n->target->via)
        return true;
    SB_TRY(receive(n, &any, &r, e));
    return !any || r.kind != SB_PEER_LEFT || killed(n, e);
}

/* {windowed, Piece, IsLast, From, To, IsPaused, Lines} */
static bool
decode_window(struct sb_peer *n, int at, struct sb_peer_answer *a)
{
    const char *p = n->link.message.buff;
    int last, paused;
    long long from, to;
    if (!sb_dist_skip(&n->link.message, &at) || ei_decode_boolean(p, &at, &last) < 0 ||
        ei_decode_longlong(p, &at, &from) < 0 || ei_decode_longlong(p, &at, &to) < 0 ||
        ei_decode_boolean(p, &at, &paused) < 0)
        return false;
    a->last = last;
    a->paused = paused;
    a->from_ns = from;
    a->to_ns = to;
    a->has_lines = !sb_dist_atom(&n->link, &at, "none");
    a->lines = a->has_lines ? sb_dist_binary(&n->link, &at) : (struct sb_str){0};
    return true;
}

/* An answer that has come, without waiting for one. */
static bool
next_answer(struct sb_peer *n, bool *any, struct reply *r, struct sb_err *e)
{
    struct pollfd p = {.fd = n->link.fd, .events = POLLIN};
    *any = false;
    if (!n->target->via)
        return poll(&p, 1, 0) <= 0 || receive(n, any, r, e);
    if (n->via.runs)
        SB_TRY(take_run(n, 0, any, e));
    *any = !n->via.runs && n->answers > 0;
    return !*any || take_answer(n, r, e);
}

bool
sb_peer_take_answer(struct sb_peer *n, struct sb_peer_answer *answer, struct sb_err *e)
{
    struct reply r;
    bool any;
    *answer = (struct sb_peer_answer){.kind = SB_PEER_OK};
    SB_TRY(next_answer(n, &any, &r, e));
    if (!any)
        return true;
    *answer = (struct sb_peer_answer){
        .kind = r.kind, .text = r.text, .has_lines = r.kind == SB_PEER_WATCHED, .lines = r.text};
    if (r.kind == SB_PEER_LEFT)
        return killed(n, e);
    if (r.kind == SB_PEER_ERROR)
        return sb_err_set(e, SB_ERR_SYSTEM, "%.*s", SB_STR_ARG(r.text));
    return r.kind != SB_PEER_WINDOWED || decode_window(n, r.at, answer) || puzzled(n, e);
}

unsigned
sb_peer_poll(const struct sb_peer *n, struct pollfd p[2])
{
    p[0] = (struct pollfd){.fd = n->link.fd, .events = POLLIN};
    return !n->target->via ? 1 : n->via.runs ? sb_shell_poll(&n->via.run, p) : 0;
}

bool
sb_peer_send(struct sb_peer *n, const ei_x_buff *request, int wait_ms, struct sb_err *e)
{
    return n->target->via ? start_run(n, request, wait_ms, e)
                          : sb_dist_send(&n->link, &n->worker, request, e);
}

bool
sb_peer_ask(struct sb_peer *n, const ei_x_buff *request, enum sb_peer_reply wanted, struct sb_str *text,
            struct sb_err *e)
{
    struct reply r;
    SB_TRY(sb_peer_send(n, request, 0, e) && expect(n, wanted, &r, e));
    *text = r.text;
    return true;
}

bool
sb_peer_is_open(const struct sb_peer *n)
{
    return n->target->via ? n->started && !n->via.gone : n->link.fd >= 0;
}

/* {fetch, At, Most, Ms} */
bool
sb_peer_fetch(struct sb_peer *n, uint64_t at, struct sb_str *piece, bool *last, struct sb_err *e)
{
    struct reply r;
    ei_x_buff x;
    int is_last, wait_ms = n->target->via ? SB_PEER_VIA_WAIT_MS : FETCH_MS;
    ei_x_new_with_version(&x);
    ei_x_encode_tuple_header(&x, 4);
    ei_x_encode_atom(&x, "fetch");
    ei_x_encode_ulonglong(&x, at);
    ei_x_encode_long(&x, n->target->via ? VIA_FETCH : FETCH);
    ei_x_encode_long(&x, wait_ms);
    bool ok = sb_peer_send(n, &x, wait_ms, e) && expect(n, SB_PEER_FETCHED, &r, e);
    ei_x_free(&x);
    SB_TRY(ok);
    if (!sb_dist_skip(&n->link.message, &r.at) ||
        ei_decode_boolean(n->link.message.buff, &r.at, &is_last) < 0)
        return puzzled(n, e);
    *piece = r.text;
    *last = is_last;
    return true;
}

/* ---- requests */

static void
decode_fact(const struct sb_dist *l, int *at, struct sb_peer_facts *f)
{
    const struct {
        const char *name;
        long *into;
    } number[] = {{"os_pid", &f->os_pid},
                  {"words", &f->words},
                  {"schedulers", &f->schedulers},
                  {"processes", &f->processes},
                  {"most_processes", &f->most_processes},
                  {"atoms", &f->atoms},
                  {"most_atoms", &f->most_atoms},
                  {"runnable", &f->runnable},
                  {"available", &f->available}};
    for (unsigned i = 0; i < sizeof number / sizeof *number; i++)
        if (sb_dist_atom(l, at, number[i].name)) {
            ei_decode_long(l->message.buff, at, number[i].into);
            return;
        }
    const struct {
        const char *name;
        char *into;
        size_t room;
    } word[] = {{"name", f->name, sizeof f->name},
                {"architecture", f->architecture, sizeof f->architecture},
                {"place", f->place, sizeof f->place},
                {"libc", f->libc, sizeof f->libc},
                {"no_code", f->no_code, sizeof f->no_code}};
    for (unsigned i = 0; i < sizeof word / sizeof *word; i++)
        if (sb_dist_atom(l, at, word[i].name)) {
            struct sb_str text = sb_dist_binary(l, at);
            snprintf(word[i].into, word[i].room, "%.*s", SB_STR_ARG(text));
            return;
        }
}

bool
sb_peer_facts(struct sb_peer *n, struct sb_peer_facts *f, struct sb_err *e)
{
    struct reply r;
    int count;
    *f = (struct sb_peer_facts){0};
    n->started =
        expect(n, SB_PEER_NODE, &r, e); /* with --via the name may be that of another strobe's part */
    SB_TRY(n->started);
    if (ei_decode_list_header(n->link.message.buff, &r.at, &count) < 0)
        return puzzled(n, e);
    for (int i = 0; i < count; i++) {
        if (!sb_dist_tuple(&n->link, &r.at, 2))
            return puzzled(n, e);
        decode_fact(&n->link, &r.at, f);
    }
    n->target->node = sb_arena_str(n->a, sb_str_of(f->name));
    return true;
}

static bool
send_part(struct sb_peer *n, struct sb_str part, struct sb_err *e)
{
    struct sb_str text;
    ei_x_buff x;
    ei_x_new_with_version(&x);
    ei_x_encode_tuple_header(&x, 2);
    ei_x_encode_atom(&x, "part");
    ei_x_encode_binary(&x, part.p, (int)part.n);
    bool ok = sb_peer_ask(n, &x, SB_PEER_OK, &text, e);
    ei_x_free(&x);
    return ok;
}

bool
sb_peer_push(struct sb_peer *n, const struct sb_push *what, struct sb_err *e)
{
    struct sb_str whole = sb_push_pack(what, n->a);
    size_t most = n->target->via ? SB_VIA_PIECE : PIECE;
    for (size_t at = 0; at < whole.n; at += most)
        SB_TRY(send_part(n, sb_str_sub(whole, at, most), e));
    return true;
}

/* ---- the end */

static bool
call_for_true(struct sb_peer *n, const char *function, bool *is, struct sb_err *e)
{
    ei_x_buff args;
    int at;
    ei_x_new(&args);
    ei_x_format_wo_ver(&args, "[strobe_attach]");
    bool ok = sb_dist_call(&n->link, "erlang", function, &args, &at, e);
    ei_x_free(&args);
    SB_TRY(ok);
    *is = sb_dist_atom(&n->link, &at, "true");
    return true;
}

bool
sb_peer_is_loaded(struct sb_peer *n, bool *is, struct sb_err *e)
{
    return call_for_true(n, "module_loaded", is, e);
}

/* The last module is removed by the node after its last answer; that takes a moment. */
static bool
await_last_module(struct sb_peer *n, struct sb_err *e)
{
    bool loaded = true, old = !n->target->via;
    for (int i = 0; n->target->via && i < RUNS && loaded; i++)
        SB_TRY(sb_via_is_loaded(&n->via, &loaded, e));
    for (int i = 0; !n->target->via && i < TRIES && (loaded || old); i++) {
        if (i > 0)
            usleep(TRY_US);
        SB_TRY(sb_peer_is_loaded(n, &loaded, e) && call_for_true(n, "check_old_code", &old, e));
    }
    if (loaded || old)
        *SB_PUSH(&n->left) = SB_STR("module strobe_attach");
    return true;
}

bool
sb_peer_end(struct sb_peer *n, struct sb_str *missing, struct sb_err *e)
{
    struct reply r = {0};
    struct sb_err why = {.at_byte = SB_NO_BYTE};
    bool recorded = false;
    ei_x_buff x;
    if (!n->left_known) {
        ei_x_new_with_version(&x);
        ei_x_encode_atom(&x, "stop");
        bool ok = sb_peer_send(n, &x, 0, e);
        ei_x_free(&x);
        SB_TRY(ok);
    }
    for (int i = 0; !n->left_known; i++) {
        SB_TRY(i < END_REPLIES ? next_reply(n, &r, e) : puzzled(n, e));
        if (r.kind == SB_PEER_RECORDED) {
            recorded = true;
            *missing = r.text;
        } else if (r.kind == SB_PEER_ERROR)
            sb_err_set(&why, SB_ERR_SYSTEM, "%.*s", SB_STR_ARG(r.text));
    }
    SB_TRY(await_last_module(n, e));
    if (recorded)
        return true;
    if (why.code == SB_OK)
        return killed(n, e);
    *e = why;
    return false;
}

void
sb_peer_close(struct sb_peer *n)
{
    sb_via_close(&n->via);
    sb_dist_close(&n->link);
    SB_VEC_FREE(&n->left);
}
