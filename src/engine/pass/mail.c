/*
 * Messages: each send is stored with its receiver until a receive takes it. The two are matched in order if
 * their hashes allow it, else by a search among the oldest SB_MAIL_SEARCH. Messages before a match become stale
 * (one was dropped, or two senders raced): they can still be matched, but no longer count as waiting mail.
 *
 *     ring:  [taken stale stale | fresh fresh fresh ...]      head moves over taken messages
 */
#include "engine/world/actors.h"
#include "engine/edges/edges.h"
#include "engine/pass/journal.h"
#include "engine/world/lanes.h"
#include "engine/pass/mail_find.h"
#include "engine/pass/pass.h"

static sb_pass_fn on_arrival, on_receive, on_send, on_ended, on_loss;
static void finish(struct sb_part *x, struct sb_proc *p);
static void free_mail(struct sb_proc *p);
static void put(const struct sb_run *r, const struct sb_proc *p, int64_t *c);

static const struct sb_on on[] = {
    {SB_EV_send, SB_ARRIVAL, on_arrival}, {SB_EV_receive, SB_OWN, on_receive}, {SB_EV_send, SB_OWN, on_send},
    {SB_EV_send_dead, SB_OWN, on_send},   {SB_EV_exit, SB_OWN, on_ended},      {SB_EV_drop, SB_LOSS, on_loss},
};

const struct sb_pass sb_pass_mail = {
    "mail",     "messages, and sums by sender and receiver",         SB_ON_N(on), finish, free_mail,
    .put = put, .reads = "stay.state stay.scheduler stay.sum.slices"};

enum { LONGEST = 1 << 20 };

static void
grow(struct sb_mail *m)
{
    uint32_t cap = m->cap ? m->cap * 2 : 4;
    struct sb_sent *at = sb_realloc_or_die(NULL, sb_mul_or_die(cap, sizeof *at));
    for (uint32_t i = 0; i < m->n; i++)
        at[i] = *sb_mail_at(m, i);
    free(m->at);
    m->at = at;
    m->cap = cap;
    m->head = 0;
}

/* ---- rows ---- */

/* `got`: NULL if the message was never received. */
static inline void
message_row(struct sb_part *x, const struct sb_proc *p, const struct sb_sent *s, const struct sb_event *got,
            int64_t at)
{
    if (!x->run->o->messages)
        return;
    bool keep = !got || !s->sender || x->run->facts.keep_hash;
    struct sb_rows *rows = &x->rows[SB_T_message];
    struct sb_message_row *row = sb_row_put(x, SB_T_message, at, p);
    row->sender = sb_cell_id(s->sender);
    row->receiver = p->id;
    row->sent = s->at == SB_AT_UNKNOWN ? SB_NULL : sb_rel(x->run, s->at);
    row->received = got ? sb_rel(x->run, got->at_ns) : SB_NULL;
    row->words = sb_cell_known(rows, s->words);
    row->ext_bytes = sb_cell_known(rows, s->ext);
    row->at_least = s->at_least;
    row->sent_on = sb_cell_id(s->scheduler);
    row->hash = keep ? sb_cell(rows, s->hash) : SB_NO_NUMBER;
    row->alias = s->alias ? sb_cell(rows, s->alias) : SB_NO_NUMBER;
    sb_actor named = got && sb_actor_kind(got->receive.down) != SB_PORT ? got->receive.down : 0;
    uint32_t id = named ? sb_cell(rows, sb_actors_id(x->run, named, got->at_ns)) : SB_NO_NUMBER;
    bool asks = named && got->receive.asks && !s->sender;
    row->down = named && got->receive.asks ? SB_NO_NUMBER : id;
    row->asker = asks ? id : SB_NO_NUMBER;
    row->call = asks && got->receive.asks == SB_CALLER ? 1 : SB_NO_NUMBER;
}

/* Returns the sum for a pair of schedulers. There are few pairs, so recent ones are cached. */
static struct sb_queue_sum *
queue_sum(struct sb_part *x, struct sb_scheduler_id from, struct sb_scheduler_id to)
{
    uint32_t *known = &x->queues.known[(from.i * 8 + to.i) % SB_QUEUES_KNOWN];
    if (*known < x->queues.sum.n && x->queues.sum.at[*known].from == from.i &&
        x->queues.sum.at[*known].to == to.i)
        return &x->queues.sum.at[*known];
    uint32_t i = sb_map_place(&x->queues.edge, (uint64_t)from.i << 32 | to.i, x->queues.sum.n);
    if (i == x->queues.sum.n)
        *SB_PUSH(&x->queues.sum) = (struct sb_queue_sum){.from = from.i, .to = to.i};
    *known = i;
    return &x->queues.sum.at[i];
}

static void
count_one(struct sb_queue_sum *sum, const struct sb_event *ev)
{
    sum->count++;
    sum->words += ev->message.words == SB_UNKNOWN ? 0 : ev->message.words;
    sum->at_least += (ev->flags & SB_EVF_AT_LEAST) != 0;
}

static void
count_queues(struct sb_part *x, const struct sb_proc *p, const struct sb_event *ev,
             struct sb_scheduler_id from)
{
    if (p->stay.state == SB_STAY_UNSEEN || (p->stay.sum.slices == 0 && p->stay.state != SB_STAY_ON))
        return;
    if (!from.i || !p->stay.scheduler.i)
        return;
    count_one(queue_sum(x, from, p->stay.scheduler), ev);
}

/* Returns the sum for a pair of nodes. */
static struct sb_queue_sum *
node_sum(struct sb_queue_sums *sums, uint32_t from, uint32_t to)
{
    size_t i = 0;
    while (i < sums->n && (sums->at[i].from != from || sums->at[i].to != to))
        i++;
    if (i == sums->n)
        *SB_PUSH(sums) = (struct sb_queue_sum){.from = from, .to = to};
    return &sums->at[i];
}

/* Adds an amount if it is known, and records that one was. */
static inline void
add(uint64_t *sum, bool *is_known, uint64_t amount)
{
    if (amount == SB_UNKNOWN)
        return;
    *sum += amount;
    *is_known = true;
}

/* ---- the queue ---- */

static void
pop(struct sb_mail *m)
{
    m->head = (m->head + 1) & (m->cap - 1);
    m->n--;
    m->passed -= m->passed > 0;
}

static void
forget(struct sb_mail *m, const struct sb_sent *s)
{
    m->fresh -= !s->stale;
    m->fresh_abroad -= !s->stale && s->abroad;
}

static void
drop_first(struct sb_part *x, struct sb_proc *p, int64_t at)
{
    struct sb_mail *m = &p->mail;
    struct sb_sent *s = sb_mail_at(m, 0);
    if (!s->taken) {
        message_row(x, p, s, NULL, at);
        sb_edges_count(x, p, s, SB_NEVER_TAKEN);
        forget(m, s);
    }
    pop(m);
}

/* Makes room in a full queue; at the maximum length it drops the oldest message. */
static __attribute__((noinline)) void
make_room(struct sb_part *x, struct sb_proc *p, int64_t at)
{
    if (p->mail.cap < LONGEST)
        grow(&p->mail);
    else
        drop_first(x, p, at);
}

static void
make_stale(struct sb_mail *m, uint32_t n)
{
    for (uint32_t i = m->passed; i < n; i++) {
        struct sb_sent *s = sb_mail_at(m, i);
        if (!s->taken && !s->stale) {
            forget(m, s);
            s->stale = true;
        }
    }
    m->passed = n > m->passed ? n : m->passed;
}

/* Most aliases are for one answer: other messages sent to the alias are dropped on arrival. */
static __attribute__((noinline)) void
forget_alias(struct sb_mail *m, uint32_t alias)
{
    m->answered = alias;
    for (uint32_t i = 0; i < m->n && i < SB_MAIL_SEARCH; i++) {
        struct sb_sent *s = sb_mail_at(m, i);
        if (s->alias == alias && !s->taken && !s->stale) {
            forget(m, s);
            s->stale = true;
        }
    }
}

/* Removes taken messages from the head, and stale ones that were passed long ago. */
static void
clear_head(struct sb_part *x, struct sb_proc *p, uint32_t passed, int64_t at)
{
    struct sb_mail *m = &p->mail;
    for (; m->n > 0; passed -= passed > 0) {
        const struct sb_sent *s = sb_mail_at(m, 0);
        if (s->taken)
            pop(m);
        else if (passed >= SB_MAIL_SEARCH / 2 && s->stale)
            drop_first(x, p, at);
        else
            break;
    }
}

/* Fills in what only the receive event knows. Sizes are the sender's: a local pid is one word there and
 * more elsewhere. */
static inline void
complete(struct sb_sent *s, const struct sb_event *got)
{
    if (s->words == SB_UNKNOWN) {
        s->words = got->message.words;
        s->at_least = got->flags & SB_EVF_AT_LEAST;
    }
    if (s->ext == SB_UNKNOWN)
        s->ext = got->message.ext;
    if (s->alias == 0 && s->sender == 0)
        s->alias = got->message.alias;
}

static inline void
take(struct sb_part *x, struct sb_proc *p, uint32_t i, const struct sb_event *got)
{
    struct sb_mail *m = &p->mail;
    struct sb_sent *s = sb_mail_at(m, i);
    sb_edges_count(x, p, s, got->at_ns - s->at);
    x->facts.odd_mail |= got->at_ns < s->at || (s->words == SB_UNKNOWN && got->message.words != SB_UNKNOWN) ||
                         (s->ext == SB_UNKNOWN && got->message.ext != SB_UNKNOWN);
    complete(s, got);
    message_row(x, p, s, got, got->at_ns);
    add(&m->receive_words, &x->facts.words, s->words);
    m->receive_at_least += s->at_least;
    add(&m->receive_ext, &x->facts.ext, s->ext);
    forget(m, s);
    s->taken = true;
    if (i > 0)
        make_stale(m, i);
    if (s->alias)
        forget_alias(m, s->alias);
    clear_head(x, p, i, got->at_ns);
}

/* Records a received message whose send is unknown, or not known from others. */
static void
take_unsent(struct sb_part *x, struct sb_proc *p, const struct sb_event *got)
{
    struct sb_sent s = {.at = SB_AT_UNKNOWN,
                        .words = got->message.words,
                        .ext = got->message.ext,
                        .hash = sb_mail_fold(got->message.hash),
                        .alias = got->message.alias,
                        .at_least = got->flags & SB_EVF_AT_LEAST};
    message_row(x, p, &s, got, got->at_ns);
    add(&p->mail.receive_words, &x->facts.words, got->message.words);
    p->mail.receive_at_least += s.at_least;
    add(&p->mail.receive_ext, &x->facts.ext, got->message.ext);
}

/* Leaves a message without the receive that it may have ended. */
static void
leave_apart(struct sb_part *x, struct sb_proc *p, uint32_t i, int64_t at)
{
    struct sb_mail *m = &p->mail;
    struct sb_sent *s = sb_mail_at(m, i);
    message_row(x, p, s, NULL, at);
    sb_edges_count(x, p, s, SB_NEVER_TAKEN);
    forget(m, s);
    s->taken = true;
    unsigned node = sb_actor_node(p->actor);
    node_sum(&x->queues.ambiguous, node, node)->count++;
}

/* Finds the message that is received, among traces of several nodes; m->n: none, or nobody knows which. */
static uint32_t
find_certain(struct sb_part *x, struct sb_proc *p, uint32_t i, const struct sb_event *got, uint32_t hash)
{
    struct sb_mail *m = &p->mail;
    for (; i < m->n && sb_mail_was_received_before(sb_mail_at(m, i), got); i = sb_mail_find(m, got, hash))
        leave_apart(x, p, i, got->at_ns);
    bool certain = i == m->n || !sb_mail_has_rivals(m, i, got, hash);
    if (i == m->n)
        sb_mail_remember(m, got);
    if (!certain)
        leave_apart(x, p, i, got->at_ns);
    clear_head(x, p, 0, got->at_ns);
    return certain ? sb_mail_find(m, got, hash) : m->n;
}

/* ---- events ---- */

/* The immediate answer of a port (port_control) is recorded as a message but never enters a mailbox. It
 * can be matched, but does not count as waiting mail. */
static void
on_arrival(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_mail *m = &p->mail;
    bool no_mail = sb_actor_kind(ev->who) == SB_PORT || sb_mail_is_late(m, ev);
    struct sb_scheduler_id from = sb_lane_id(x->run, ev->who, sb_lane_plain(ev->lane));
    count_queues(x, p, ev, from);
    struct sb_sent sent = {.at = ev->at_ns,
                           .words = ev->message.words,
                           .ext = ev->message.ext,
                           .sender = x->sender,
                           .hash = sb_mail_fold(ev->message.hash),
                           .alias = ev->message.alias,
                           .scheduler = (uint16_t)from.i,
                           .at_least = ev->flags & SB_EVF_AT_LEAST,
                           .stale = no_mail,
                           .abroad = sb_actor_node(ev->who) != sb_actor_node(p->actor)};
    if (sent.abroad)
        sb_mail_find_received_before(m, &sent);
    if (m->n == m->cap)
        make_room(x, p, ev->at_ns);
    *sb_mail_at(m, m->n++) = sent;
    m->fresh_abroad += !no_mail && sent.abroad;
    if (!no_mail && ++m->fresh > m->max_fresh)
        m->max_fresh = m->fresh;
}

/* The receive took no message: `after` elapsed, or it is a command to a port. */
static void
on_no_message(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (!sb_proc_is_port(p)) {
        p->mail.timeouts++;
        add(&p->mail.timeout_ext, &x->facts.ext, ev->message.ext);
    }
    sb_journal(x, p, ev, ev->at_ns);
}

static void
on_receive(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_mail *m = &p->mail;
    if (ev->flags & SB_EVF_TIMEOUT || sb_proc_is_port(p)) {
        on_no_message(x, p, ev);
        return;
    }
    uint32_t hash = sb_mail_fold(ev->message.hash),
             i = m->n > 0 && sb_mail_fits(sb_mail_at(m, 0), ev, hash) ? 0 : sb_mail_find(m, ev, hash);
    m->receives++;
    if (x->run->inputs.n > 1)
        i = find_certain(x, p, i, ev, hash);
    if (i < m->n)
        take(x, p, i, ev);
    else
        take_unsent(x, p, ev);
}

static void
on_send(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_mail *m = &p->mail;
    enum sb_actor_kind to = sb_actor_kind(ev->send.to);
    bool arrives = to == SB_PID || to == SB_ODD || ev->flags & SB_EVF_RESOLVED;
    m->sends++;
    add(&m->send_words, &x->facts.words, ev->message.words);
    m->send_at_least += (ev->flags & SB_EVF_AT_LEAST) != 0;
    add(&m->send_ext, &x->facts.ext, ev->message.ext);
    bool by_name = to == SB_NAMED && ev->send.to != 0 && sb_actor_node(ev->send.to) != sb_actor_node(ev->who);
    if (ev->kind == SB_EV_send && by_name && !arrives && !sb_proc_is_port(p))
        /* the owner of the name is unknown */
        count_one(node_sum(&x->queues.unnamed, sb_actor_node(ev->who), sb_actor_node(ev->send.to)), ev);
    if (ev->kind == SB_EV_send_dead || !arrives || sb_proc_is_port(p))
        sb_journal(x, p, ev, ev->at_ns);
}

static void
on_ended(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    while (p->mail.n > 0)
        drop_first(x, p, ev->at_ns);
    free_mail(p);
    p->mail.at = NULL;
    p->mail.unsent = NULL;
    p->mail.cap = p->mail.head = 0;
}

static void
on_loss(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x, (void)ev;
    make_stale(&p->mail, p->mail.n);
}

static void
finish(struct sb_part *x, struct sb_proc *p)
{
    while (p->mail.n > 0)
        drop_first(x, p, x->run->axis.end);
}

static void
free_mail(struct sb_proc *p)
{
    free(p->mail.at);
    free(p->mail.unsent);
}

static void
put(const struct sb_run *r, const struct sb_proc *p, int64_t *c)
{
    const struct sb_mail *m = &p->mail;
    if (!sb_recorded(r, SB_MESSAGES) || !sb_proc_is_traced(p))
        return;
    c[SB_C_process__sends] = (int64_t)m->sends;
    c[SB_C_process__receives] = (int64_t)m->receives;
    c[SB_C_process__timeouts] = (int64_t)m->timeouts;
    c[SB_C_process__max_queue] = m->max_fresh;
    if (r->facts.has_words) {
        c[SB_C_process__send_words] = (int64_t)m->send_words;
        c[SB_C_process__receive_words] = (int64_t)m->receive_words;
        c[SB_C_process__send_at_least] = (int64_t)m->send_at_least;
        c[SB_C_process__receive_at_least] = (int64_t)m->receive_at_least;
    }
    if (r->facts.has_ext) {
        c[SB_C_process__send_ext_bytes] = (int64_t)m->send_ext;
        c[SB_C_process__receive_ext_bytes] = (int64_t)m->receive_ext;
        c[SB_C_process__timeout_ext_bytes] = (int64_t)m->timeout_ext;
    }
}
