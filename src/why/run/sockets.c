#include "why/run/sockets.h"
#include "why/run/server.h"
#include "base/map.h"
#include "base/order.h"
#include "profile/scan_row.h"

enum { PAUSE_NS = 100000000 };

SB_ORDER(by_port, struct sb_socket_run, SB_UP(port) ?: SB_UP(start))

/* An accepted socket has neither a driver nor a start, since nothing tells of its opening. */
static enum sb_socket
kind_of(struct sb_str driver, int64_t start)
{
    if (driver.n == 0)
        return start == SB_NULL ? SB_SOCKET_ACCEPTED : SB_SOCKET_NONE;
    return sb_str_eq(driver, SB_STR("tcp_inet"))   ? SB_SOCKET_OPENED
           : sb_str_eq(driver, SB_STR("udp_inet")) ? SB_SOCKET_UDP
                                                   : SB_SOCKET_NONE;
}

static void
find_kinds(const struct sb_evidence *x, struct sb_sockets *v)
{
    SB_SCAN(s, x->profile, port, id, owner, start, driver);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t of = s.value[id][i], by = s.value[owner][i];
        if (of < 1 || of >= v->n)
            continue;
        v->kind[of] = (uint8_t)kind_of(sb_profile_text(x->profile, s.value[driver][i]), s.value[start][i]);
        v->owner[of] = by >= 1 && by < x->n_actors ? by : 0;
    }
}

/* True if the process got so many messages from outside. */
static bool
has_got(const struct sb_evidence *x, int64_t process, int fewest, int64_t from, int64_t to)
{
    uint32_t low = x->inbox[process], high = x->inbox[process + 1], end = high;
    int n = 0;
    SB_SEARCH(low, high, sb_evidence_receipt(&x->letter[mid]) < from);
    for (; low < end && n < fewest && sb_evidence_receipt(&x->letter[low]) < to; low++)
        n += x->letter[low].sender <= 0;
    return n == fewest;
}

/*
 * What a port is asked to do, as to set an option, has a name of its own; what arrives has none. But who asks for data
 * that is there already gets it at once. So the first that a port is asked for between two writes stands for that, if
 * nothing else arrived and the process got two messages from outside: one tells that the write is done. Before the
 * first write options of the socket are set, so there it is the last. Keeps these of all runs.
 */
static size_t
keep_reads(const struct sb_evidence *x, const struct sb_sockets *v, struct sb_socket_run *r, size_t n)
{
    size_t kept = 0, wrote = 0, asked = 0; /* places, and one more */
    bool is_first = true;
    for (size_t i = 0; i < n; i++) {
        int64_t owner = v->owner[r[i].port];
        if (i == 0 || r[i].port != r[i - 1].port) {
            wrote = asked = 0;
            is_first = true;
        }
        if (r[i].does == SB_SOCKET_IS_ASKED) {
            asked = asked && !is_first ? asked : i + 1;
            continue;
        }
        if (r[i].does == SB_SOCKET_WRITES && asked && owner > 0 && (wrote || is_first) &&
            has_got(x, owner, wrote ? 2 : 1, r[wrote ? wrote - 1 : asked - 1].start, r[i].start))
            r[asked - 1].does = SB_SOCKET_READS;
        wrote = r[i].does == SB_SOCKET_WRITES ? i + 1 : 0;
        asked = 0;
        is_first = false;
    }
    for (size_t i = 0; i < n; i++)
        if (r[i].does != SB_SOCKET_IS_ASKED)
            r[kept++] = r[i];
    return kept;
}

static void
read_runs(const struct sb_evidence *x, struct sb_sockets *v)
{
    SB_VEC(struct sb_socket_run) runs = {0};
    int64_t command = sb_profile_find_text(x->profile, SB_STR("command"));
    SB_SCAN(s, x->profile, slice, port, start, dur, in_function);
    sb_scan_where(&s, SB_C_slice__port, 1, v->n);
    sb_scan_where(&s, SB_C_slice__start, x->t0, x->t1);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t of = s.value[port][i], in = s.value[in_function][i], from = s.value[start][i];
        if (of < v->n && v->kind[of] != SB_SOCKET_NONE)
            *SB_PUSH(&runs) = (struct sb_socket_run){of, from, from + s.value[dur][i],
                                                     in == SB_NULL   ? SB_SOCKET_READS
                                                     : in == command ? SB_SOCKET_WRITES
                                                                     : SB_SOCKET_IS_ASKED};
    }
    if (runs.n > 0)
        SB_SORT(&runs, by_port);
    v->run = runs.at;
    v->n_runs = keep_reads(x, v, runs.at, runs.n);
}

/* What the process did from one moment to another. */
static void
measure(const struct sb_evidence *x, struct sb_socket_request *r, int64_t from, int64_t to)
{
    const struct sb_actor *a = &x->actor[r->process];
    const struct sb_step *s = x->step + a->first, *end = s + a->n;
    struct sb_range within = {from, to};
    size_t low = 0, high = a->n;
    int64_t longest = 0;
    SB_SEARCH(low, high, s[mid].end <= from);
    for (s += low; s < end && s->start < to; s++) {
        int64_t out = s->start + s->dur;
        int64_t waited = s->wait == SB_WAIT_NONE ? 0 : sb_range_part(within, out, out + s->wait_ns);
        r->work_ns += sb_range_part(within, s->start, out);
        r->waiting_ns += waited;
        if (waited > longest) {
            longest = waited;
            r->waits_for = s->waker;
        }
    }
}

/* The runs of a port from its first question up to the next one. A question is what is read from an accepted socket, or
 * written to one that the process opened. Returns how many these are. */
static size_t
read_turn(const struct sb_evidence *x, struct sb_sockets *v, const struct sb_socket_run *r, size_t n)
{
    bool asked = v->kind[r->port] == SB_SOCKET_OPENED;
    size_t i = 0, answer;
    for (; i < n && (r[i].does == SB_SOCKET_WRITES) == asked; i++)
        ;
    answer = i;
    if (answer == 0 || answer == n)
        return answer == 0 ? 1 : n;
    for (i++; i < n && (r[i].does == SB_SOCKET_WRITES) != asked && r[i].start - r[i - 1].end < PAUSE_NS; i++)
        ;
    int64_t from = r[answer - 1].start, end = r[i - 1].start;
    struct sb_socket_request of = {.port = r->port, .ns = end - from, .process = (int32_t)v->owner[r->port]};
    of.asked = asked;
    if (of.process > 0 && of.ns >= 0) {
        if (!asked)
            measure(x, &of, from, end);
        *SB_PUSH(&v->request) = of;
    }
    for (; i < n && (r[i].does == SB_SOCKET_WRITES) != asked; i++)
        ;
    return i;
}

void
sb_sockets_find(const struct sb_evidence *x, struct sb_sockets *out)
{
    *out = (struct sb_sockets){.n = (int64_t)sb_profile_rows(x->profile, SB_T_port) + 1};
    out->kind = SB_NEW_N(x->arena, uint8_t, out->n);
    out->owner = SB_NEW_N(x->arena, int64_t, out->n);
    find_kinds(x, out);
    read_runs(x, out);
    for (size_t i = 0, end; i < out->n_runs; i = end) {
        for (end = i; end < out->n_runs && out->run[end].port == out->run[i].port; end++)
            ;
        while (i < end && out->kind[out->run[i].port] != SB_SOCKET_UDP)
            i += read_turn(x, out, out->run + i, end - i);
    }
}

void
sb_sockets_close(struct sb_sockets *s)
{
    free(s->run);
    SB_VEC_FREE(&s->request);
    SB_VEC_FREE(&s->delays);
    *s = (struct sb_sockets){0};
}

bool *
sb_sockets_served(const struct sb_evidence *x, const struct sb_sockets *s)
{
    bool *serves = SB_NEW_N(x->arena, bool, x->n_actors + 1);
    for (int64_t i = 1; i < s->n; i++)
        if (s->kind[i] == SB_SOCKET_ACCEPTED && s->owner[i] > 0)
            serves[s->owner[i]] = true;
    return serves;
}

bool
sb_sockets_delayed(const struct sb_sockets *s, int64_t from, int64_t to)
{
    const struct sb_ranges *d = &s->delays;
    size_t low = 0, high = d->n;
    int64_t ns = 0;
    SB_SEARCH(low, high, d->at[mid].to <= from);
    for (; low < d->n && d->at[low].from < to; low++)
        ns += sb_range_part((struct sb_range){from, to}, d->at[low].from, d->at[low].to);
    return to - from >= SB_DELAY_NS && 2 * ns > to - from;
}

/* ---- rows ---- */

static int64_t
group_of(const struct sb_evidence *x, const struct sb_socket_request *r)
{
    return x->actor[r->process].group;
}

static int
by_group(const void *a, const void *b, void *x)
{
    const struct sb_socket_request *p = a, *q = b;
    int64_t of = group_of(x, p), than = group_of(x, q);
    return p->asked != q->asked       ? p->asked - q->asked
           : of != than               ? (of > than) - (of < than)
           : p->process != q->process ? (p->process > q->process) - (p->process < q->process)
                                      : (p->port > q->port) - (p->port < q->port);
}

static struct sb_socket_row
row_of(const struct sb_socket_request *r, size_t n)
{
    struct sb_socket_row row = {.requests = (int64_t)n, .asked = r->asked, .waits_for = SB_NULL};
    struct sb_map place = {0};
    SB_VEC(int64_t) waited = {0};
    int64_t *ns = sb_realloc_or_die(NULL, sb_mul_or_die(n, sizeof *ns)), most = 0, run = 0, longest = 0;
    bool is_new;
    for (size_t i = 0; i < n; i++) {
        bool same = i > 0 && r[i].process == r[i - 1].process;
        ns[i] = r[i].ns;
        row.work_ns += r[i].work_ns;
        row.waiting_ns += r[i].waiting_ns;
        row.processes += !same;
        row.connections += !same || r[i].port != r[i - 1].port;
        run = same ? run + 1 : 1;
        if (run > most) {
            most = run;
            row.process = r[i].process;
        }
        if (r[i].waits_for <= 0)
            continue;
        uint32_t *at = sb_map_put(&place, (uint64_t)r[i].waits_for, &is_new);
        if (is_new) {
            *at = (uint32_t)waited.n;
            *SB_PUSH(&waited) = 0;
        }
        waited.at[*at] += r[i].waiting_ns;
        if (waited.at[*at] > longest) {
            longest = waited.at[*at];
            row.waits_for = r[i].waits_for;
        }
    }
    sb_percentiles(ns, n, row.ns);
    row.longest_ns = ns[n - 1];
    row.work_ns = r->asked ? SB_NULL : row.work_ns / (int64_t)n;
    row.waiting_ns = r->asked ? SB_NULL : row.waiting_ns / (int64_t)n;
    row.waits_for = r->asked ? SB_NULL : row.waits_for;
    free(ns);
    sb_map_close(&place);
    SB_VEC_FREE(&waited);
    return row;
}

SB_ORDER(by_time, struct sb_socket_row, SB_DOWN(ns[1]) ?: SB_UP(process))

void
sb_socket_rows_of(const struct sb_evidence *x, struct sb_socket_request *request, size_t n,
                  struct sb_socket_rows *out)
{
    if (n > 1)
        qsort_r(request, n, sizeof *request, by_group, (void *)(uintptr_t)x);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && request[end].asked == request[i].asked &&
                      group_of(x, &request[end]) == group_of(x, &request[i]);
             end++)
            ;
        *SB_PUSH(out) = row_of(request + i, end - i);
    }
    if (out->n > 0)
        SB_SORT(out, by_time);
}
