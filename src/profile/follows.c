#include "profile/follows.h"
#include "base/arena.h"
#include "base/order.h"
#include "profile/build.h"
#include "profile/scan_row.h"
#include <stdlib.h>

static inline void
add(int64_t *sum, int64_t n)
{
    *sum = (int64_t)((uint64_t)*sum + (n == SB_NULL ? 0 : (uint64_t)n));
}

/* ---- migration: from one slice of a process to the next, or to its last `in`, whose slice has no known end ---- */

struct tail {
    uint64_t row; /* of table slice, from 1: the process's last one */
    int64_t end, on, at, to;
};

/* Returns how many there are. */
static int64_t
put_migrations(const struct sb_profile *p, struct sb_build *b, const struct tail *tail)
{
    int64_t *last = sb_zeroed_or_die(sb_profile_rows(p, SB_T_process) + 1, sizeof *last); /* 0: unknown */
    int64_t moves = 0;
    SB_SCAN(s, p, slice, process, scheduler, start);
    sb_scan_where(&s, SB_C_slice__process, 1, (int64_t)sb_profile_rows(p, SB_T_process));
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t who = s.value[process][i], on = s.value[scheduler][i];
        on = on == SB_NULL ? 0 : on;
        if (last[who] > 0 && on > 0 && last[who] != on) {
            sb_build_row(b, SB_T_migration, (int64_t[]){who, s.value[start][i], last[who], on});
            moves++;
        }
        last[who] = on;
        if (tail && tail[who].row == s.row[i] + 1 && tail[who].to > 0)
            sb_build_row(b, SB_T_migration, (int64_t[]){who, tail[who].at, on, tail[who].to});
    }
    free(last);
    return moves;
}

static void
find_last_slices(const struct sb_profile *p, struct tail *tail)
{
    SB_SCAN(s, p, slice, process, scheduler, start, dur);
    sb_scan_where(&s, SB_C_slice__process, 1, (int64_t)sb_profile_rows(p, SB_T_process));
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t end = (int64_t)((uint64_t)s.value[start][i] + (uint64_t)s.value[dur][i]);
        tail[s.value[process][i]] = (struct tail){s.row[i] + 1, end, s.value[scheduler][i], 0, 0};
    }
}

/* Finds the first `in` of each process that came after its last slice, on another scheduler. */
static void
find_last_in(const struct sb_profile *p, struct tail *tail)
{
    int64_t in = sb_profile_find_text(p, sb_str_of("in"));
    SB_SCAN(s, p, event, process, scheduler, at);
    sb_scan_where(&s, SB_C_event__process, 1, (int64_t)sb_profile_rows(p, SB_T_process));
    sb_scan_where(&s, SB_C_event__kind, in, in);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        struct tail *t = &tail[s.value[process][i]];
        int64_t to = s.value[scheduler][i];
        if (t->to == 0 && t->on > 0 && to > 0 && to != t->on && s.value[at][i] >= t->end) {
            t->at = s.value[at][i];
            t->to = to;
        }
    }
}

static int64_t
migrations_counted(const struct sb_profile *p)
{
    int64_t sum = 0;
    SB_SCAN(s, p, process, migrations);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        add(&sum, s.value[migrations][i]);
    return sum;
}

/* ---- message_edge: messages by sender and receiver, some senders at a time ---- */

enum { AT_ONCE = 1 << 21 /* messages that are held, each 40 bytes */ };

struct note {
    uint32_t receiver, at_least;
    int64_t sent, received, words, ext;
};

struct edges {
    const struct sb_profile *p;
    struct sb_build *b;
    bool has_words, has_ext;
    int64_t processes;
    struct note *note;
    uint64_t *end; /* by sender: of its notes */
};

static inline void
raise(int64_t *most, int64_t n)
{
    *most = n > *most ? n : *most;
}

static void
add_note(int64_t *c, const struct note *n)
{
    int64_t *first = &c[SB_C_message_edge__first];
    *first = c[SB_C_message_edge__count] == 0 || n->sent < *first ? n->sent : *first;
    raise(&c[SB_C_message_edge__last], n->sent);
    c[SB_C_message_edge__count]++;
    add(&c[SB_C_message_edge__total_words], n->words);
    add(&c[SB_C_message_edge__total_ext_bytes], n->ext);
    c[SB_C_message_edge__at_least] += n->at_least;
    raise(&c[SB_C_message_edge__max_words], n->words);
    if (n->received == SB_NULL)
        return;
    int64_t took = (int64_t)((uint64_t)n->received - (uint64_t)n->sent);
    c[SB_C_message_edge__matched]++;
    add(&c[SB_C_message_edge__latency_ns], took);
    raise(&c[SB_C_message_edge__max_latency_ns], took);
}

static void
put_edge(const struct edges *v, int64_t *c)
{
    if (!v->has_words)
        c[SB_C_message_edge__total_words] = c[SB_C_message_edge__max_words] = c[SB_C_message_edge__at_least] =
            SB_NULL;
    if (!v->has_ext)
        c[SB_C_message_edge__total_ext_bytes] = SB_NULL;
    if (c[SB_C_message_edge__matched] == 0)
        c[SB_C_message_edge__latency_ns] = c[SB_C_message_edge__max_latency_ns] = SB_NULL;
    sb_build_row(v->b, SB_T_message_edge, c);
}

SB_ORDER(by_receiver, struct note, SB_UP(receiver))

/* The notes of one sender. */
static void
put_notes(const struct edges *v, int64_t sender, struct note *note, size_t n)
{
    sb_sort(note, n, sizeof *note, by_receiver);
    for (size_t i = 0, k; i < n; i = k) {
        int64_t cell[SB_N_message_edge] = {sender, note[i].receiver};
        for (k = i; k < n && note[k].receiver == note[i].receiver; k++)
            add_note(cell, &note[k]);
        put_edge(v, cell);
    }
}

/* Calls `take` for each message of these senders. */
static void
each_message(const struct edges *v, int64_t from, int64_t to,
             void (*take)(void *ctx, int64_t sender, const struct note *n), void *ctx)
{
    SB_SCAN(s, v->p, message, sender, receiver, sent, received, words, ext_bytes, at_least);
    sb_scan_where(&s, SB_C_message__sender, from, to);
    sb_scan_where(&s, SB_C_message__receiver, 1, v->processes);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        take(ctx, s.value[sender][i],
             &(struct note){(uint32_t)s.value[receiver][i], s.value[at_least][i] == 1, s.value[sent][i],
                            s.value[received][i], s.value[words][i], s.value[ext_bytes][i]});
}

static void
take_note(void *ctx, int64_t sender, const struct note *n)
{
    const struct edges *v = ctx;
    v->note[v->end[sender]++] = *n;
}

static void
put_some(const struct edges *v, int64_t from, int64_t to)
{
    uint64_t at = 0;
    each_message(v, from, to, take_note, (void *)v);
    for (int64_t sender = from; sender <= to; at = v->end[sender++])
        put_notes(v, sender, v->note + at, v->end[sender] - at);
}

struct cells {
    int64_t at[SB_N_message_edge];
};

static void
take_sum(void *ctx, int64_t sender, const struct note *n)
{
    (void)sender;
    add_note(((struct cells *)ctx)[n->receiver].at, n);
}

/* One sender with more messages than are held. */
static void
put_many(const struct edges *v, int64_t sender)
{
    struct cells *sum = sb_zeroed_or_die((size_t)v->processes + 1, sizeof *sum); /* by receiver */
    each_message(v, sender, sender, take_sum, sum);
    for (int64_t receiver = 1; receiver <= v->processes; receiver++)
        if (sum[receiver].at[SB_C_message_edge__count] > 0) {
            sum[receiver].at[SB_C_message_edge__sender] = sender;
            sum[receiver].at[SB_C_message_edge__receiver] = receiver;
            put_edge(v, sum[receiver].at);
        }
    free(sum);
}

static void
put_edges(const struct sb_profile *p, struct sb_build *b)
{
    struct edges v = {.p = p,
                      .b = b,
                      .has_words = sb_profile_has_values(p, SB_T_process, SB_C_process__send_words),
                      .has_ext = sb_profile_has_values(p, SB_T_process, SB_C_process__send_ext_bytes),
                      .processes = (int64_t)sb_profile_rows(p, SB_T_process)};
    uint64_t most = 0, n,
             *sent = sb_zeroed_or_die((size_t)v.processes + 1, sizeof *sent); /* messages, by sender */
    SB_SCAN(s, p, message, sender);
    sb_scan_where(&s, SB_C_message__sender, 1, v.processes);
    sb_scan_where(&s, SB_C_message__receiver, 1, v.processes);
    for (size_t i = 0; sb_scan_row(&s, &i); i++, most++)
        sent[s.value[sender][i]]++;
    v.end = sent;
    v.note = sb_realloc_or_die(NULL, ((most < AT_ONCE ? most : AT_ONCE) + 1) * sizeof *v.note);
    for (int64_t from = 1, to; from <= v.processes; from = to) {
        if (sent[from] > AT_ONCE) {
            put_many(&v, from);
            to = from + 1;
            continue;
        }
        for (n = 0, to = from; to <= v.processes && n + sent[to] <= AT_ONCE; to++) {
            uint64_t first = n;
            n += sent[to];
            sent[to] = first; /* from where its notes are put */
        }
        if (n > 0)
            put_some(&v, from, to - 1);
    }
    free(v.note);
    free(sent);
}

char *
sb_follows_bytes(const struct sb_profile *p, enum sb_tab t, size_t *n)
{
    struct sb_build *b;
    struct sb_err e = {0};
    SB_ASSERT(sb_build_open(&b, NULL, &e)); /* in memory */
    if (t == SB_T_message_edge)
        put_edges(p, b);
    else if (put_migrations(p, b, NULL) < migrations_counted(p)) {
        struct tail *tail = sb_zeroed_or_die(sb_profile_rows(p, SB_T_process) + 1, sizeof *tail);
        find_last_slices(p, tail);
        find_last_in(p, tail);
        sb_build_abandon(b);
        SB_ASSERT(sb_build_open(&b, NULL, &e));
        put_migrations(p, b, tail);
        free(tail);
    }
    return sb_build_bytes(b, n);
}
