#include "why/evidence.h"
#include "profile/capacity.h"
#include "why/evidence_gc.h"
#include "why/evidence_steps.h"
#include <stdlib.h>

/* ---- processes ---- */

static bool
has(struct sb_str s, const char *part)
{
    struct sb_str p = sb_str_of(part);
    for (size_t i = 0; p.n <= s.n && i + p.n <= s.n; i++)
        if (memcmp(s.p + i, p.p, p.n) == 0)
            return true;
    return false;
}

static const struct {
    const char *name, *entry; /* a name that it starts with, or a part of its entry */
    enum sb_service service;
} services[] = {
    {"code_server", NULL, SB_SERVICE_CODE},        {"erl_prim_loader", NULL, SB_SERVICE_LOADER},
    {"elixir_code_server", NULL, SB_SERVICE_CODE}, {NULL, "file_io_server", SB_SERVICE_FILE},
    {"file_server_2", NULL, SB_SERVICE_FILE},      {"user", NULL, SB_SERVICE_OUTPUT},
    {"standard_error", NULL, SB_SERVICE_OUTPUT},   {NULL, "group:", SB_SERVICE_OUTPUT},
    {NULL, "user_drv:", SB_SERVICE_OUTPUT},        {"logger", NULL, SB_SERVICE_LOG},
    {"'Elixir.Logger", NULL, SB_SERVICE_LOG},      {"Elixir.Logger", NULL, SB_SERVICE_LOG},
};

static enum sb_service
service_of(struct sb_str name, struct sb_str entry)
{
    for (size_t i = 0; i < sizeof services / sizeof *services; i++) {
        struct sb_str n = sb_str_of(services[i].name ? services[i].name : "");
        bool exact = n.n > 0 && services[i].service == SB_SERVICE_OUTPUT;
        if (n.n > 0 && (exact ? sb_str_eq(name, n) : sb_str_starts(name, n)))
            return services[i].service;
        if (services[i].entry && has(entry, services[i].entry))
            return services[i].service;
    }
    return SB_SERVICE_NONE;
}

static void
read_actors(struct sb_evidence *x, const struct sb_program *part)
{
    static const unsigned column[] = {SB_C_process__id,       SB_C_process__parent,  SB_C_process__group_id,
                                      SB_C_process__entry,    SB_C_process__start,   SB_C_process__end,
                                      SB_C_process__name,     SB_C_process__sends,   SB_C_process__send_words,
                                      SB_C_process__receives, SB_C_process__timeouts};
    enum { ID, PARENT, GROUP, ENTRY, START, END, NAME, SENDS, WORDS, RECEIVES, TIMEOUTS, COLUMNS };
    unsigned at[COLUMNS];
    struct sb_scan s;
    sb_scan_open(&s, x->profile, SB_T_process);
    for (unsigned c = 0; c < COLUMNS; c++)
        at[c] = sb_scan_want(&s, column[c]);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            int64_t id = s.value[at[ID]][i];
            if (id < 1 || (uint64_t)id >= x->n_actors)
                continue;
            struct sb_str name = sb_profile_text(x->profile, s.value[at[NAME]][i]);
            int64_t entry = s.value[at[ENTRY]][i];
            x->actor[id] = (struct sb_actor){
                .parent = s.value[at[PARENT]][i],
                .group = s.value[at[GROUP]][i],
                .entry = entry,
                .start = s.value[at[START]][i],
                .end = s.value[at[END]][i],
                .sends = s.value[at[SENDS]][i],
                .send_words = s.value[at[WORDS]][i],
                .receives = s.value[at[RECEIVES]][i],
                .timeouts = s.value[at[TIMEOUTS]][i],
                .is_program = part->has[id],
                .service = service_of(name, sb_profile_text(x->profile, entry)),
            };
        }
    sb_scan_close(&s);
}

/* ---- messages ---- */

static int
by_receipt(const void *p, const void *q)
{
    const struct sb_letter *a = p, *b = q;
    if (a->receiver != b->receiver)
        return (a->receiver > b->receiver) - (a->receiver < b->receiver);
    int64_t at = a->received != SB_NULL ? a->received : a->sent,
            bt = b->received != SB_NULL ? b->received : b->sent;
    return at != bt ? (at > bt) - (at < bt) : (a->sender > b->sender) - (a->sender < b->sender);
}

static int
by_sending(const void *p, const void *q, void *letters)
{
    const struct sb_letter *at = letters, *a = &at[*(const uint32_t *)p], *b = &at[*(const uint32_t *)q];
    if (a->sender != b->sender)
        return (a->sender > b->sender) - (a->sender < b->sender);
    return a->sent != b->sent ? (a->sent > b->sent) - (a->sent < b->sent) : (p > q) - (p < q);
}

static int32_t
known_id(const struct sb_evidence *x, int64_t id)
{
    return id >= 1 && (uint64_t)id < x->n_actors ? (int32_t)id : 0;
}

static void
read_letters(struct sb_evidence *x)
{
    SB_VEC(struct sb_letter) v = {0};
    struct sb_scan s;
    sb_scan_open(&s, x->profile, SB_T_message);
    unsigned from = sb_scan_want(&s, SB_C_message__sender), to = sb_scan_want(&s, SB_C_message__receiver),
             sent = sb_scan_want(&s, SB_C_message__sent), received = sb_scan_want(&s, SB_C_message__received),
             words = sb_scan_want(&s, SB_C_message__words);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            int64_t at = s.value[sent][i] != SB_NULL ? s.value[sent][i] : s.value[received][i];
            if (at >= x->t0 && at < x->t1)
                *SB_PUSH(&v) =
                    (struct sb_letter){s.value[sent][i], s.value[received][i], known_id(x, s.value[from][i]),
                                       known_id(x, s.value[to][i]), s.value[words][i]};
        }
    sb_scan_close(&s);
    x->letter = v.at;
    x->n_letters = v.n;
}

static void
index_letters(struct sb_evidence *x)
{
    x->by_sender = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *x->by_sender, x->n_letters + 1));
    x->inbox = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *x->inbox, x->n_actors + 1));
    x->outbox = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *x->outbox, x->n_actors + 1));
    if (x->n_letters > 1)
        qsort(x->letter, x->n_letters, sizeof *x->letter, by_receipt);
    for (size_t i = 0; i < x->n_letters; i++)
        x->by_sender[i] = (uint32_t)i;
    if (x->n_letters > 1)
        qsort_r(x->by_sender, x->n_letters, sizeof *x->by_sender, by_sending, x->letter);
    size_t in = 0, out = 0;
    for (uint64_t id = 0; id <= x->n_actors; id++) {
        while (in < x->n_letters && (uint64_t)x->letter[in].receiver < id)
            in++;
        while (out < x->n_letters && (uint64_t)x->letter[x->by_sender[out]].sender < id)
            out++;
        x->inbox[id] = (uint32_t)in;
        x->outbox[id] = (uint32_t)out;
    }
}

/* The first letter of the process, in by_sender, that was sent at that time or later. */
static size_t
first_sent(const struct sb_evidence *x, int64_t process, int64_t at)
{
    size_t lo = x->outbox[process], hi = x->outbox[process + 1];
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (x->letter[x->by_sender[mid]].sent < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

size_t
sb_evidence_sent(const struct sb_evidence *x, int64_t process, int64_t from, int64_t to)
{
    size_t i = first_sent(x, process, from), end = first_sent(x, process, to);
    return end > i ? end - i : 0;
}

int32_t
sb_evidence_sent_last(const struct sb_evidence *x, int64_t process, int64_t from, int64_t to)
{
    size_t first = first_sent(x, process, from), end = first_sent(x, process, to);
    return end > first ? x->letter[x->by_sender[end - 1]].receiver : 0;
}

bool
sb_evidence_sent_to(const struct sb_evidence *x, int64_t process, int64_t other, int64_t from, int64_t to)
{
    for (size_t i = first_sent(x, process, from), end = first_sent(x, process, to); i < end; i++)
        if (x->letter[x->by_sender[i]].receiver == other)
            return true;
    return false;
}

/* ---- pairs ---- */

static int
by_pair(const void *p, const void *q)
{
    const struct sb_traffic *a = p, *b = q;
    return a->sender != b->sender ? (a->sender > b->sender) - (a->sender < b->sender)
                                  : (a->receiver > b->receiver) - (a->receiver < b->receiver);
}

static void
read_edges(struct sb_evidence *x)
{
    SB_VEC(struct sb_traffic) v = {0};
    struct sb_scan s;
    sb_scan_open(&s, x->profile, SB_T_message_edge);
    unsigned from = sb_scan_want(&s, SB_C_message_edge__sender),
             to = sb_scan_want(&s, SB_C_message_edge__receiver),
             count = sb_scan_want(&s, SB_C_message_edge__count),
             words = sb_scan_want(&s, SB_C_message_edge__total_words),
             most = sb_scan_want(&s, SB_C_message_edge__max_words),
             first = sb_scan_want(&s, SB_C_message_edge__first),
             cut = sb_scan_want(&s, SB_C_message_edge__at_least);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            struct sb_traffic e = {known_id(x, s.value[from][i]),
                                   known_id(x, s.value[to][i]),
                                   s.value[count][i],
                                   s.value[words][i],
                                   s.value[most][i],
                                   s.value[first][i],
                                   s.value[cut][i] > 0 ? s.value[cut][i] : 0};
            if (e.sender && e.receiver)
                *SB_PUSH(&v) = e;
        }
    sb_scan_close(&s);
    if (v.n > 1)
        qsort(v.at, v.n, sizeof *v.at, by_pair);
    x->edge = v.at;
    x->n_edges = v.n;
}

const struct sb_traffic *
sb_evidence_edge(const struct sb_evidence *x, int64_t sender, int64_t receiver)
{
    struct sb_traffic key = {.sender = (int32_t)sender, .receiver = (int32_t)receiver};
    return x->n_edges ? bsearch(&key, x->edge, x->n_edges, sizeof key, by_pair) : NULL;
}

struct sb_str
sb_evidence_text(const struct sb_evidence *x, int32_t text)
{
    return text > 0 ? sb_profile_text(x->profile, text) : SB_STR("");
}

bool
sb_evidence_find(const struct sb_profile *p, struct sb_arena *a, struct sb_evidence *x)
{
    struct sb_capacity c;
    struct sb_program part = sb_program_find(p, a);
    *x = (struct sb_evidence){.profile = p, .arena = a, .t0 = part.from_ns, .t1 = part.to_ns};
    if (x->t0 == SB_NULL || x->t1 == SB_NULL || x->t0 >= x->t1 || sb_profile_rows(p, SB_T_slice) == 0)
        return false;
    sb_capacity_find(p, &c);
    x->schedulers = c.able;
    if (x->schedulers < 1)
        return false;
    x->n_actors = sb_profile_rows(p, SB_T_process) + 1;
    x->actor = SB_NEW_N(a, struct sb_actor, x->n_actors + 1);
    read_actors(x, &part);
    sb_evidence_steps_limit(x);
    x->span_ns = x->t1 - x->t0;
    read_edges(x);
    read_letters(x);
    index_letters(x);
    sb_evidence_steps_read(x);
    sb_evidence_gc_add(x);
    return x->n_steps > 0;
}

void
sb_evidence_close(struct sb_evidence *x)
{
    free(x->step);
    free(x->letter);
    free(x->by_sender);
    free(x->inbox);
    free(x->outbox);
    free(x->edge);
    sb_level_close(&x->level);
    *x = (struct sb_evidence){0};
}
