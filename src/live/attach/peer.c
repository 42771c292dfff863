#include "live/attach/peer.h"
#include "base/progress.h"
#include <unistd.h>

enum { FETCH_MS = 200, LOOK_US = 20000, END_REPLIES = 1000, OLDEST_RELEASE = 25 };

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
                      SB_STR_ARG(n->line.target.node));
}

/* {strobe, ok} or {strobe, {Name, ...}} */
static bool
parse(struct sb_peer *n, int at, struct reply *r)
{
    const ei_x_buff *m = &n->line.message;
    int arity;
    if (!sb_message_tuple(m, &at, 2) || !sb_message_atom(m, &at, "strobe"))
        return false;
    *r = (struct reply){.kind = SB_PEER_OK};
    if (sb_message_atom(m, &at, "ok"))
        return true;
    if (ei_decode_tuple_header(m->buff, &at, &arity) < 0)
        return false;
    for (unsigned k = SB_PEER_NODE; k <= SB_PEER_LEFT; k++)
        if (sb_message_atom(m, &at, reply_names[k])) {
            *r = (struct reply){.kind = (enum sb_peer_reply)k, .at = at};
            r->text = sb_message_binary(m, &at);
            if (k != SB_PEER_FETCHED && k != SB_PEER_WATCHED && k != SB_PEER_WINDOWED) /* too many to copy */
                r->text = sb_arena_str(n->line.a, r->text);
            return true;
        }
    return false;
}

/* {left, [Text], AtomsMore} */
static bool
take_left(struct sb_peer *n, int at)
{
    const char *p = n->line.message.buff;
    int count;
    if (ei_decode_list_header(p, &at, &count) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        struct sb_str text = sb_message_binary(&n->line.message, &at);
        if (!text.n)
            return false;
        *SB_PUSH(&n->left) = sb_arena_str(n->line.a, text);
    }
    if (count > 0 && (ei_decode_list_header(p, &at, &count) < 0 || count != 0))
        return false;
    n->left_known = true;
    return ei_decode_long(p, &at, &n->atoms_more) == 0;
}

/* Takes the next answer that comes within `patience_ms`; SB_PEER_OK: there was none, or it was that. */
static bool
receive(struct sb_peer *n, int patience_ms, bool *any, struct reply *r, struct sb_err *e)
{
    int at;
    *r = (struct reply){.kind = SB_PEER_OK};
    SB_TRY(n->line.type->receive(&n->line, patience_ms, any, &at, e));
    if (*any && (!parse(n, at, r) || (r->kind == SB_PEER_LEFT && !take_left(n, r->at))))
        return puzzled(n, e);
    return true;
}

static bool
next_reply(struct sb_peer *n, struct reply *r, struct sb_err *e)
{
    bool any = false;
    for (int64_t start = sb_clock_ns(); sb_clock_ns() - start < n->line.type->answer_ms * INT64_C(1000000);) {
        SB_TRY(receive(n, SB_LINE_BEAT_MS, &any, r, e));
        if (any)
            return true;
    }
    return sb_err_set(e, SB_ERR_SYSTEM, "%.*s does not answer any more", SB_STR_ARG(n->line.target.node));
}

static bool
killed(const struct sb_peer *n, struct sb_err *e)
{
    sb_err_set(e, SB_ERR_SYSTEM, "the part of strobe in %.*s was killed", SB_STR_ARG(n->line.target.node));
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
    SB_TRY(receive(n, 0, &any, &r, e));
    return r.kind != SB_PEER_LEFT || killed(n, e);
}

/* {windowed, Piece, IsLast, From, To, IsPaused, Lines} */
static bool
decode_window(struct sb_peer *n, int at, struct sb_peer_answer *a)
{
    const char *p = n->line.message.buff;
    int last, paused;
    long long from, to;
    if (!sb_message_skip(&n->line.message, &at) || ei_decode_boolean(p, &at, &last) < 0 ||
        ei_decode_longlong(p, &at, &from) < 0 || ei_decode_longlong(p, &at, &to) < 0 ||
        ei_decode_boolean(p, &at, &paused) < 0)
        return false;
    a->last = last;
    a->paused = paused;
    a->from_ns = from;
    a->to_ns = to;
    a->has_lines = !sb_message_atom(&n->line.message, &at, "none");
    a->lines = a->has_lines ? sb_message_binary(&n->line.message, &at) : (struct sb_str){0};
    return true;
}

bool
sb_peer_take_answer(struct sb_peer *n, struct sb_peer_answer *answer, struct sb_err *e)
{
    struct reply r;
    bool any;
    *answer = (struct sb_peer_answer){.kind = SB_PEER_OK};
    SB_TRY(receive(n, 0, &any, &r, e));
    *answer = (struct sb_peer_answer){
        .kind = r.kind, .text = r.text, .has_lines = r.kind == SB_PEER_WATCHED, .lines = r.text};
    if (r.kind == SB_PEER_LEFT)
        return killed(n, e);
    if (r.kind == SB_PEER_ERROR)
        return sb_err_set(e, SB_ERR_SYSTEM, "%.*s", SB_STR_ARG(r.text));
    return r.kind != SB_PEER_WINDOWED || decode_window(n, r.at, answer) || puzzled(n, e);
}

bool
sb_peer_ask(struct sb_peer *n, const ei_x_buff *request, enum sb_peer_reply wanted, struct sb_str *text,
            struct sb_err *e)
{
    struct reply r;
    SB_TRY(n->line.type->send(&n->line, request, 0, e) && expect(n, wanted, &r, e));
    *text = r.text;
    return true;
}

bool
sb_peer_tell(struct sb_peer *n, const char *request, struct sb_err *e)
{
    struct sb_str text;
    SB_TERM(x);
    ei_x_encode_atom(&x, request);
    return sb_peer_ask(n, &x, SB_PEER_OK, &text, e);
}

bool
sb_peer_beat(struct sb_peer *n, struct sb_err *e)
{
    bool ask;
    return n->line.type->beat(&n->line, &ask, e) && (!ask || sb_peer_tell(n, "beat", e));
}

int
sb_peer_wait_ms(const struct sb_peer *n, int usual_ms)
{
    return n->line.type->least_wait_ms ? n->line.type->least_wait_ms : usual_ms;
}

/* {fetch, At, Most, Ms} */
bool
sb_peer_fetch(struct sb_peer *n, uint64_t at, struct sb_str *piece, bool *last, struct sb_err *e)
{
    struct reply r;
    int is_last, wait_ms = sb_peer_wait_ms(n, FETCH_MS);
    SB_TERM(x);
    ei_x_encode_tuple_header(&x, 4);
    ei_x_encode_atom(&x, "fetch");
    ei_x_encode_ulonglong(&x, at);
    ei_x_encode_long(&x, n->line.type->piece);
    ei_x_encode_long(&x, wait_ms);
    SB_TRY(n->line.type->send(&n->line, &x, wait_ms, e) && expect(n, SB_PEER_FETCHED, &r, e));
    if (!sb_message_skip(&n->line.message, &r.at) ||
        ei_decode_boolean(n->line.message.buff, &r.at, &is_last) < 0)
        return puzzled(n, e);
    *piece = r.text;
    *last = is_last;
    return true;
}

/* ---- the start */

static bool
is_too_old(const struct sb_peer *n, struct sb_err *e)
{
    if (n->line.release >= OLDEST_RELEASE)
        return false;
    sb_err_set(e, SB_ERR_INPUT, "%.*s runs OTP %d", SB_STR_ARG(n->line.target.node), n->line.release);
    sb_err_advise(e, "strobe attaches to nodes of OTP %d and later", OLDEST_RELEASE);
    return true;
}

bool
sb_peer_open(struct sb_peer *n, const char *modules, struct sb_err *e)
{
    SB_TRY(n->line.type->open(&n->line, e) && !is_too_old(n, e));
    SB_TERM(beam);
    return sb_push_encode_beam(&beam, modules, "strobe_attach", e) && n->line.type->start(&n->line, &beam, e);
}

/* ---- requests */

static void
decode_fact(struct sb_line *l, int *at, struct sb_peer_facts *f)
{
    const ei_x_buff *m = &l->message;
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
        if (sb_message_atom(m, at, number[i].name)) {
            ei_decode_long(m->buff, at, number[i].into);
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
        if (sb_message_atom(m, at, word[i].name)) {
            struct sb_str text = sb_message_binary(m, at);
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
    n->line.is_ours = expect(n, SB_PEER_NODE, &r, e); /* a command may reach the part of another strobe */
    SB_TRY(n->line.is_ours);
    if (ei_decode_list_header(n->line.message.buff, &r.at, &count) < 0)
        return puzzled(n, e);
    for (int i = 0; i < count; i++) {
        if (!sb_message_tuple(&n->line.message, &r.at, 2))
            return puzzled(n, e);
        decode_fact(&n->line, &r.at, f);
    }
    n->line.target.node = sb_arena_str(n->line.a, sb_str_of(f->name));
    return true;
}

static bool
send_part(struct sb_peer *n, struct sb_str part, struct sb_err *e)
{
    struct sb_str text;
    SB_TERM(x);
    ei_x_encode_tuple_header(&x, 2);
    ei_x_encode_atom(&x, "part");
    ei_x_encode_binary(&x, part.p, (int)part.n);
    return sb_peer_ask(n, &x, SB_PEER_OK, &text, e);
}

bool
sb_peer_push(struct sb_peer *n, const struct sb_push *what, struct sb_err *e)
{
    struct sb_str whole = sb_push_pack(what, n->line.a);
    size_t most = n->line.type->request;
    for (size_t at = 0; at < whole.n; at += most)
        SB_TRY(send_part(n, sb_str_sub(whole, at, most), e));
    return true;
}

/* ---- the end */

/* The last module is removed by the node after its last answer; that takes a moment. */
static bool
await_last_module(struct sb_peer *n, struct sb_err *e)
{
    bool loaded = true;
    for (int i = 0; i < n->line.type->looks && loaded; i++) {
        if (i > 0)
            usleep(LOOK_US);
        SB_TRY(n->line.type->is_loaded(&n->line, &loaded, e));
    }
    if (loaded)
        *SB_PUSH(&n->left) = SB_STR("module strobe_attach");
    return true;
}

bool
sb_peer_end(struct sb_peer *n, struct sb_str *missing, struct sb_err *e)
{
    struct reply r = {0};
    struct sb_err why = {.at_byte = SB_NO_BYTE};
    bool recorded = false;
    if (!n->left_known) {
        SB_TERM(x);
        ei_x_encode_atom(&x, "stop");
        SB_TRY(n->line.type->send(&n->line, &x, 0, e));
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
    sb_line_close(&n->line);
    SB_VEC_FREE(&n->left);
}
