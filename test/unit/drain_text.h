/* Traces in text form, written as a drain would have written them, over many seconds. */
#pragma once
#include "drain_rings.h"
#include "trace/source.h"
#include <stdio.h>
#include <unistd.h>

enum { SPAN_S = 40 };
static char text[128], sbt[128];

static inline int
by_time(const void *a, const void *b)
{
    const struct sb_event *x = a, *y = b;
    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static inline bool
is_plain(sb_actor a)
{
    return a == 0 || (sb_actor_kind(a) != SB_ODD && sb_actor_node(a) == 0);
}

/* Events that a drain can have written. */
static inline bool
is_written(const struct sb_event *ev)
{
    static const int64_t far_ns = INT64_MAX >> 8;
    return ev->at_ns < far_ns && ev->at_ns > -far_ns && ev->kind != SB_EV_unknown && ev->kind != SB_EV_drop &&
           is_plain(ev->who) && is_plain(ev->peer);
}

static inline void
note_waits(struct writer *w, const struct sb_event *ev)
{
    bool is_new;
    *sb_map_put(&w->waits, ev->waits.mfa, &is_new) = ev->waits.kind + 1;
}

/* Spreads the trace over SPAN_S seconds, so that pieces of it are known before its end. */
static inline int64_t
stretched(int64_t at, int64_t first, int64_t last)
{
    int64_t span = last - first + 1, second = 1000000000;
    int64_t times = span < SPAN_S * second ? SPAN_S * second / span + 1 : 1;
    return ((at - first) * times + second) / 8 * 8;
}

static inline void
stretch(struct sb_events *all)
{
    if (all->n == 0)
        return;
    qsort(all->at, all->n, sizeof *all->at, by_time);
    int64_t first = all->at[0].at_ns, last = all->at[all->n - 1].at_ns;
    for (size_t i = 0; i < all->n; i++)
        all->at[i].at_ns = stretched(all->at[i].at_ns, first, last);
}

static inline struct sb_events
read_events(struct writer *w, struct sb_source *s)
{
    struct sb_events all = {0};
    struct sb_block b;
    struct sb_err e;
    size_t n = 0;
    while (sb_source_next(s, &b, &e))
        sb_source_decode(s, &b, &all);
    for (size_t i = 0; i < all.n; i++) {
        if (all.at[i].kind == SB_EV_waits)
            note_waits(w, &all.at[i]);
        else if (is_written(&all.at[i]))
            all.at[n++] = all.at[i];
    }
    all.n = n;
    stretch(&all);
    return all;
}

static inline void
put_notes(struct writer *w, const struct sb_source_info *info, const struct sb_events *all)
{
    char note[80];
    uint64_t recorded = info->recorded;
    for (size_t i = 0; i < all->n && info->recorded == 0; i++)
        recorded |= UINT64_C(1) << sb_kinds[all->at[i].kind].class;
    int n = snprintf(note, sizeof note, "node%cn@h", 0);
    put_entry(w, (struct sb_dict_entry){.kind = SB_DICT_NOTE}, note, (size_t)n);
    n = snprintf(note, sizeof note, "schedulers%c%u", 0, info->vm.schedulers);
    put_entry(w, (struct sb_dict_entry){.kind = SB_DICT_NOTE}, note, (size_t)n);
    for (unsigned c = 0; c < SB_CLASSES; c++)
        if (recorded >> c & 1) {
            n = snprintf(note, sizeof note, "recorded%c%s", 0, sb_class_names[c]);
            put_entry(w, (struct sb_dict_entry){.kind = SB_DICT_NOTE}, note, (size_t)n);
        }
}

static inline void
close_writer(struct writer *w)
{
    for (unsigned i = 0; i < w->n_rings; i++)
        SB_VEC_FREE(&w->ring[i].open);
    SB_VEC_FREE(&w->dict);
    SB_VEC_FREE(&w->function);
    sb_map_close(&w->id_of);
    sb_map_close(&w->waits);
    sb_sbt_close(w->out);
}

/* Returns false if the trace has no events that a drain can have written. */
static inline bool
convert(bool drops, bool states_late)
{
    struct sb_sbt_head head = {
        .magic = SB_SBT_MAGIC, .version = 1, .head_bytes = sizeof head, .tick_shift = 3};
    struct sb_source *s;
    struct sb_err e = {0};
    struct writer w = {.drops = drops, .states_late = states_late};
    const char *trace = text;
    unlink(sbt);
    if (!sb_source_open(&s, &trace, 1, &(struct sb_source_options){.keep_text = true}, &e))
        fail_msg("%s: %s", text, e.what);
    w.names = sb_source_names(s);
    assert_true(sb_sbt_open(&w.out, sbt, &head, &(struct sb_sbt_options){0}, &e));
    struct sb_events all = read_events(&w, s);
    w.start_ns = all.n > 0 ? all.at[0].at_ns : 0;
    put_notes(&w, sb_source_info(s), &all);
    for (size_t i = 0; i < all.n; i++)
        put_event(&w, all.at[i]);
    for (unsigned i = 0; i < w.n_rings; i++)
        flush(&w, &w.ring[i]);
    put_facts(&w);
    struct sb_sbt_trailer t = {.events = w.events, .end_ns = all.n > 0 ? all.at[all.n - 1].at_ns : 0};
    assert_true(sb_sbt_finish(w.out, &t, &(struct sb_sbt_gap){0}, &e));
    bool any = all.n > 0;
    SB_VEC_FREE(&all);
    close_writer(&w);
    sb_source_close(s);
    return any;
}
