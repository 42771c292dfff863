/*
 * Makes a profile whose answers are known, and prints them as JSON: synth OUT.sbp SLICES [PROCESSES
 * SCHEDULERS] SLICES 0: an empty profile. Step k runs process k % P on scheduler k % S for 600 to 999 ns of a
 * slot of 1,000, so nothing overlaps on a scheduler or within a process. Names hold everything that formats
 * stumble over.
 */
#include "profile/build.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_NS 1000
#define LEVELS 24
#define BASE 10 /* pyramid: buckets of 2^10 ns and up */

static const char *const function[] = {
    "lists:map/2",
    "'a;b':'c d'/1",
    "'Elixir.<T>&\"q\"':run/0",
    "mod:'日本語 größe'/2",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "xxxxxxxxxxxxxxxxxxxx"
    "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
    "yyyyyyyyyyyyyyyyyyyyyyy:f/255",
    "suspend",
    "garbage_collect",
    "gen_server:loop/7",
};
enum { F_MAP, F_SEMI, F_ANGLE, F_WIDE, F_LONG, F_SUSPEND, F_GC, F_LOOP, FUNCTIONS };

struct process {
    int64_t run, wait, runnable, gc, gcs, sends, send_words, receives, receive_words, slices, last_end,
        last_scheduler, migrations;
};
struct totals {
    int64_t slices, slice_ns, gcs, gc_ns, gaps, wait_ns, runnable_ns, messages, words, calls, own_ns,
        call_gc_ns, samples;
};
struct synth {
    struct sb_build *b;
    int64_t f[FUNCTIONS];
    struct process *process;
    int64_t processes, schedulers;
    int64_t *bucket; /* track, bucket: running ns at BASE */
    int64_t buckets;
    struct totals t;
};

static int64_t
text(struct synth *s, const char *z)
{
    return sb_build_text(s->b, sb_str_of(z));
}

static void
clear(int64_t *cell)
{
    for (size_t i = 0; i < 64; i++)
        cell[i] = SB_NULL;
}

static void
add_gc(struct synth *s, int64_t process, int64_t scheduler, int64_t start)
{
    int64_t c[64];
    clear(c);
    c[SB_C_gc__process] = process;
    c[SB_C_gc__scheduler] = scheduler;
    c[SB_C_gc__start] = start;
    c[SB_C_gc__dur] = 100;
    c[SB_C_gc__kind] = text(s, "minor");
    c[SB_C_gc__heap_before] = 500;
    c[SB_C_gc__heap_after] = 200;
    c[SB_C_gc__reclaimed_words] = 300;
    sb_build_row(s->b, SB_T_gc, c);
    s->t.gcs++;
    s->t.gc_ns += 100;
    s->process[process - 1].gc += 100;
    s->process[process - 1].gcs++;
}

static void
add_gap(struct synth *s, int64_t process, int64_t start, int64_t dur)
{
    int64_t c[64], wait = dur * 3 / 4;
    clear(c);
    c[SB_C_gap__process] = process;
    c[SB_C_gap__start] = start;
    c[SB_C_gap__wait_ns] = wait;
    c[SB_C_gap__runnable_ns] = dur - wait;
    c[SB_C_gap__unknown_ns] = 0;
    c[SB_C_gap__cause] = text(s, "message");
    sb_build_row(s->b, SB_T_gap, c);
    s->t.gaps++;
    s->t.wait_ns += wait;
    s->t.runnable_ns += dur - wait;
    s->process[process - 1].wait += wait;
    s->process[process - 1].runnable += dur - wait;
}

static void
add_message(struct synth *s, int64_t from, int64_t to, int64_t sent, int64_t words)
{
    int64_t c[64];
    clear(c);
    c[SB_C_message__sender] = from;
    c[SB_C_message__receiver] = to;
    c[SB_C_message__sent] = sent;
    c[SB_C_message__received] = sent + 2000;
    c[SB_C_message__words] = words;
    c[SB_C_message__at_least] = 0;
    sb_build_row(s->b, SB_T_message, c);
    s->t.messages++;
    s->t.words += words;
    s->process[from - 1].sends++;
    s->process[from - 1].send_words += words;
    s->process[to - 1].receives++;
    s->process[to - 1].receive_words += words;
}

static void
add_to_buckets(struct synth *s, int64_t track, int64_t start, int64_t dur)
{
    while (dur > 0) {
        int64_t at = start >> BASE, room = ((at + 1) << BASE) - start, part = dur < room ? dur : room;
        s->bucket[track * s->buckets + at] += part;
        start += part;
        dur -= part;
    }
}

static void
add_slice(struct synth *s, int64_t k)
{
    int64_t c[64], process = k % s->processes + 1, scheduler = k % s->schedulers + 1;
    int64_t start = k / s->schedulers * SLOT_NS, dur = k % 11 ? 600 + k * 7 % 400 : SLOT_NS;
    struct process *of = &s->process[process - 1];
    clear(c);
    c[SB_C_slice__process] = process;
    c[SB_C_slice__scheduler] = scheduler;
    c[SB_C_slice__start] = start;
    c[SB_C_slice__dur] = dur;
    c[SB_C_slice__in_function] = s->f[k % 5];
    c[SB_C_slice__out_function] = s->f[(k + 1) % 5];
    c[SB_C_slice__kind] = text(s, "normal");
    if (of->slices++ > 0) {
        add_gap(s, process, of->last_end, start - of->last_end);
        of->migrations += of->last_scheduler != scheduler;
    }
    sb_build_row(s->b, SB_T_slice, c);
    if (k % 5 == 0)
        add_gc(s, process, scheduler, start + 50);
    if (k % 3 == 0)
        add_message(s, process, process % s->processes + 1, start + 10, 5 + k % 9);
    of->run += dur;
    of->last_end = start + dur;
    of->last_scheduler = scheduler;
    s->t.slices++;
    s->t.slice_ns += dur;
    add_to_buckets(s, 0, start, dur);
    add_to_buckets(s, scheduler, start, dur);
}

/* map calls the odd one, which calls two others, collects and is suspended */
static void
add_calls(struct synth *s, int64_t process)
{
    static const int shape[][3] = {{F_LOOP, 0, 1},  {F_MAP, 1, 3},   {F_SEMI, 2, 7}, {F_ANGLE, 3, 11},
                                   {F_WIDE, 3, 13}, {F_LONG, 2, 17}, {F_GC, 3, 2},   {F_SUSPEND, 1, 5}};
    enum { N = sizeof shape / sizeof *shape };
    int64_t first = (process - 1) * N, c[64], acc[N] = {0};
    for (int i = N; i-- > 0;) {
        acc[i] += shape[i][2] * 1000 + process;
        if (shape[i][1] > 0)
            acc[shape[i][1] - 1] += acc[i];
    }
    for (int i = 0; i < N; i++) {
        clear(c);
        c[SB_C_call_node__id] = first + i + 1;
        c[SB_C_call_node__parent] = shape[i][1] ? first + shape[i][1] : 0;
        c[SB_C_call_node__process] = process;
        c[SB_C_call_node__mfa] = s->f[shape[i][0]];
        c[SB_C_call_node__calls] = shape[i][2];
        c[SB_C_call_node__own_ns] = shape[i][2] * 1000 + process;
        c[SB_C_call_node__acc_ns] = acc[i];
        c[SB_C_call_node__recursive] = c[SB_C_call_node__tail] = 0;
        c[SB_C_call_node__function_acc_ns] = acc[i];
        sb_build_row(s->b, SB_T_call_node, c);
        s->t.calls += shape[i][2];
        s->t.own_ns += shape[i][2] * 1000 + process;
        s->t.call_gc_ns += shape[i][0] == F_GC ? shape[i][2] * 1000 + process : 0;
    }
}

static void
add_process(struct synth *s, int64_t id)
{
    static const char *const name[] = {"'quote\"d <name>; & space'", "plain", "'日本語'", NULL};
    int64_t c[64];
    char pid[64];
    const struct process *of = &s->process[id - 1];
    clear(c);
    snprintf(pid, sizeof pid, "<0.%lld.0>", (long long)id + 80);
    c[SB_C_process__id] = id;
    c[SB_C_process__node] = 1;
    c[SB_C_process__pid] = text(s, pid);
    c[SB_C_process__name] = id <= 4 ? text(s, name[id - 1]) : SB_NULL;
    c[SB_C_process__entry] = s->f[id % 5];
    c[SB_C_process__parent] = id == 1 ? SB_NULL : 1;
    c[SB_C_process__group_id] = id % 5 + 1;
    c[SB_C_process__start] = 0;
    c[SB_C_process__run_ns] = of->run;
    c[SB_C_process__wait_ns] = of->wait;
    c[SB_C_process__runnable_ns] = of->runnable;
    c[SB_C_process__gc_ns] = of->gc;
    c[SB_C_process__gc_count] = of->gcs;
    c[SB_C_process__sends] = of->sends;
    c[SB_C_process__send_words] = of->send_words;
    c[SB_C_process__receives] = of->receives;
    c[SB_C_process__receive_words] = of->receive_words;
    c[SB_C_process__slices] = of->slices;
    c[SB_C_process__migrations] = of->migrations;
    c[SB_C_process__first_seen] = 0;
    c[SB_C_process__last_seen] = of->last_end;
    sb_build_row(s->b, SB_T_process, c);
}

static void
add_process_facts(struct synth *s, int64_t id)
{
    int64_t c[64];
    const struct process *of = &s->process[id - 1];
    clear(c);
    c[SB_C_wait__process] = id;
    c[SB_C_wait__function] = s->f[F_LOOP];
    c[SB_C_wait__count] = of->slices;
    c[SB_C_wait__total_ns] = of->wait;
    sb_build_row(s->b, SB_T_wait, c);
    clear(c);
    c[SB_C_message_edge__sender] = id;
    c[SB_C_message_edge__receiver] = id % s->processes + 1;
    c[SB_C_message_edge__count] = of->sends;
    c[SB_C_message_edge__total_words] = of->send_words;
    if (of->sends > 0)
        sb_build_row(s->b, SB_T_message_edge, c);
    clear(c);
    c[SB_C_stack__process] = id;
    c[SB_C_stack__stack] = text(s, "gen_server:loop/7;'a;b':'c d'/1;lists:map/2");
    c[SB_C_stack__count] = id;
    sb_build_row(s->b, SB_T_stack, c);
    s->t.samples += id;
}

static void
add_groups(struct synth *s)
{
    int64_t c[64];
    for (int64_t g = 1; g <= 5; g++) {
        clear(c);
        c[SB_C_process_group__id] = g;
        c[SB_C_process_group__parent_group] = g == 1 ? SB_NULL : 1;
        c[SB_C_process_group__entry] = s->f[g - 1];
        c[SB_C_process_group__representative] = g == 1 ? 5 : g - 1;
        c[SB_C_process_group__processes] = c[SB_C_process_group__run_ns] = 0;
        for (int64_t id = 1; id <= s->processes; id++)
            if (id % 5 + 1 == g)
                c[SB_C_process_group__processes]++, c[SB_C_process_group__run_ns] += s->process[id - 1].run;
        if (c[SB_C_process_group__processes] > 0)
            sb_build_row(s->b, SB_T_process_group, c);
    }
}

static void
add_pyramid(struct synth *s, int64_t track)
{
    int64_t c[64], n = s->buckets, *at = &s->bucket[track * s->buckets];
    clear(c);
    c[SB_C_track__id] = track + 1;
    c[SB_C_track__kind] = text(s, track ? "scheduler" : "all");
    c[SB_C_track__ref] = track ? track : SB_NULL;
    sb_build_row(s->b, SB_T_track, c);
    for (int64_t level = BASE; level < BASE + LEVELS; level++, n = (n + 1) / 2) {
        for (int64_t i = 0; i < n; i++) {
            if (at[i] == 0)
                continue;
            clear(c);
            for (unsigned col = SB_C_pyramid__running_ns; col <= SB_C_pyramid__peak_runnable; col++)
                c[col] = 0;
            c[SB_C_pyramid__track] = track + 1;
            c[SB_C_pyramid__level] = level;
            c[SB_C_pyramid__bucket] = i;
            c[SB_C_pyramid__running_ns] = c[SB_C_pyramid__schedulers_ns] = at[i];
            sb_build_row(s->b, SB_T_pyramid, c);
        }
        if (n == 1)
            break;
        for (int64_t i = 0; i < n; i += 2)
            at[i / 2] = at[i] + (i + 1 < n ? at[i + 1] : 0);
    }
}

static void
add_machine(struct synth *s, int64_t slices)
{
    int64_t c[64];
    clear(c);
    c[SB_C_node__id] = 1;
    c[SB_C_node__name] = text(s, "shop@höst");
    c[SB_C_node__otp] = text(s, "27");
    c[SB_C_node__schedulers] = s->schedulers;
    sb_build_row(s->b, SB_T_node, c);
    for (int64_t i = 1; i <= s->schedulers; i++) {
        clear(c);
        c[SB_C_scheduler__id] = c[SB_C_scheduler__number] = i;
        c[SB_C_scheduler__node] = 1;
        c[SB_C_scheduler__kind] = text(s, "normal");
        sb_build_row(s->b, SB_T_scheduler, c);
    }
    for (int64_t i = 0; i < 10; i++) {
        clear(c);
        c[SB_C_sample__node] = 1;
        c[SB_C_sample__at] = i * (slices / s->schedulers * SLOT_NS) / 10;
        c[SB_C_sample__item] = text(s, i % 2 ? "memory" : "run_queue");
        c[SB_C_sample__key] = text(s, i % 2 ? "total" : "1");
        c[SB_C_sample__value] = i * 100;
        sb_build_row(s->b, SB_T_sample, c);
    }
}

static void
fill(struct synth *s, int64_t slices)
{
    for (int i = 0; i < FUNCTIONS; i++)
        s->f[i] = text(s, function[i]);
    s->process = calloc((size_t)s->processes, sizeof *s->process);
    s->buckets = ((slices / s->schedulers + 1) * SLOT_NS >> BASE) + 2;
    s->bucket = calloc((size_t)(s->buckets * (s->schedulers + 1)), sizeof *s->bucket);
    for (int64_t k = 0; k < slices; k++)
        add_slice(s, k);
    for (int64_t id = 1; id <= s->processes; id++) {
        add_calls(s, id);
        add_process(s, id);
        add_process_facts(s, id);
    }
    add_groups(s);
    for (int64_t track = 0; track <= s->schedulers; track++)
        add_pyramid(s, track);
    add_machine(s, slices);
}

int
main(int argc, char **argv)
{
    struct synth s = {.processes = argc > 3 ? atoll(argv[3]) : 7,
                      .schedulers = argc > 4 ? atoll(argv[4]) : 2};
    struct sb_err e = {0};
    if (argc < 3 || s.processes < s.schedulers || s.schedulers < 1)
        return fputs("synth OUT.sbp SLICES [PROCESSES SCHEDULERS]\n", stderr), 2;
    if (!sb_build_open(&s.b, argv[1], &e))
        return sb_err_print(&e, stderr), 1;
    if (atoll(argv[2]) > 0)
        fill(&s, atoll(argv[2]));
    free(s.process);
    free(s.bucket);
    if (!sb_build_close(s.b, &e))
        return sb_err_print(&e, stderr), 1;
    printf("{\"slices\":%lld,\"slice_ns\":%lld,\"gcs\":%lld,\"gc_ns\":%lld,\"gaps\":%lld,\"wait_ns\":%lld,"
           "\"runnable_ns\":%lld,\"messages\":%lld,\"words\":%lld,\"calls\":%lld,\"own_ns\":%lld,\"call_gc_"
           "ns\":%lld,"
           "\"samples\":%lld,\"processes\":%lld}\n",
           (long long)s.t.slices, (long long)s.t.slice_ns, (long long)s.t.gcs, (long long)s.t.gc_ns,
           (long long)s.t.gaps, (long long)s.t.wait_ns, (long long)s.t.runnable_ns, (long long)s.t.messages,
           (long long)s.t.words, (long long)s.t.calls, (long long)s.t.own_ns, (long long)s.t.call_gc_ns,
           (long long)s.t.samples, (long long)s.processes);
    return 0;
}
