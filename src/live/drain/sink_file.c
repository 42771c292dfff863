/* A trace in a file, with facts about the functions that it mentions as one more ring. */
#include "live/drain/cpu.h"
#include "live/drain/cpu_code.h"
#include "live/drain/drain_facts.h"
#include "live/drain/drain_totals.h"
#include "live/drain/rings.h"
#include "live/drain/sink.h"

struct file {
    struct sb_sbt_writer *out;
    struct sb_stating stating;
    size_t sampled; /* functions of samples that were taken */
};

static bool
open_trace(struct sb_sink *s, const struct sb_drain_options *o, struct sb_err *e)
{
    struct file *f = s->state;
    struct sb_sbt_head head = sb_sbt_head_at(s->layout->start_ns, s->layout->os_pid);
    char *whole = realpath(o->rings, NULL);
    snprintf(head.rings, sizeof head.rings, "%s", whole && strlen(whole) < sizeof head.rings ? whole : "");
    free(whole);
    SB_TRY(sb_sbt_open(&f->out, o->trace, &head, &(struct sb_sbt_options){.level = o->level}, e));
    sb_rings_name_trace(o->rings, o->trace);
    return true;
}

static bool
open_file(struct sb_sink *s, const struct sb_drain_options *o, struct sb_err *e)
{
    struct file *f = s->state = sb_realloc_or_die(NULL, sizeof *f);
    *f = (struct file){.stating.finder = sb_wait_finder_open(s->cwd)};
    if (open_trace(s, o, e)) {
        s->held = sb_sbt_held_by(f->out);
        return true;
    }
    atomic_store(&s->layout->rings->stop, SB_STOP_DISK);
    return false;
}

static bool
put_names(struct sb_sink *s, struct sb_err *e)
{
    struct file *f = s->state;
    uint64_t used = atomic_load_explicit(&s->layout->rings->dict_used, memory_order_acquire);
    return used > s->layout->dict_bytes ||
           sb_drain_names_put(f->out, s->layout, sb_sbt_dict_written(f->out), used, e);
}

static bool
put(struct sb_sink *s, const struct sb_sbt_block *b, const void *raw, uint64_t cpu_ns, struct sb_err *e)
{
    (void)cpu_ns;
    return sb_sbt_put(((struct file *)s->state)->out, b, raw, e);
}

/* Functions that samples show are not in the dictionary unless an event names them. */
static void
take_sampled(struct file *f, const struct sb_cpu *cpu)
{
    const struct sb_cpu_code *code = cpu ? sb_cpu_code_of(cpu) : NULL;
    for (; code && f->sampled < code->function.n; f->sampled++) {
        const struct sb_cpu_sampled *x = &code->function.at[f->sampled];
        sb_waits_sampled(f->stating.finder, sb_intern_text(&code->names, x->name), x->frame);
    }
}

/* Reads a .beam file only while no ring fills up. */
static bool
step(struct sb_sink *s, const struct sb_sink_moment *m, bool *busy, bool *reads, struct sb_err *e)
{
    struct file *f = s->state;
    *reads = *busy = false;
    take_sampled(f, m->cpu);
    return m->hurries || sb_stating_step(&f->stating, f->out, s->layout, m->first_ns, busy, e);
}

static bool
finish(struct sb_sink *s, const struct sb_sink_moment *m, struct sb_sbt_trailer *t, struct sb_err *e)
{
    struct file *f = s->state;
    take_sampled(f, m->cpu);
    SB_TRY(sb_stating_last(&f->stating, f->out, s->layout, m->first_ns, e));
    struct sb_sbt_gap *gaps = sb_realloc_or_die(NULL, sizeof *gaps * SB_TOTALS_GAPS);
    t->kinds[SB_EV_place] += f->stating.found.places;
    t->kinds[SB_EV_waits] += f->stating.found.made.taken - f->stating.found.places;
    sb_totals_sum(s->layout, t, gaps);
    bool ok = sb_sbt_finish(f->out, t, gaps, e);
    free(gaps);
    return ok;
}

static uint64_t
bytes(const struct sb_sink *s)
{
    return sb_sbt_bytes(((const struct file *)s->state)->out);
}

static void
close_file(struct sb_sink *s)
{
    struct file *f = s->state;
    sb_sbt_close(f->out);
    sb_stating_close(&f->stating);
    free(f);
}

const struct sb_sink_type sb_sink_file = {
    .takes_open = true,
    .open = open_file,
    .put_names = put_names,
    .put = put,
    .step = step,
    .finish = finish,
    .bytes = bytes,
    .close = close_file,
};
