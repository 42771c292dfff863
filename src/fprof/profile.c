#include "fprof/fprof.h"
#include "fprof/strict.h"
#include "trace/source_impl.h"
#include <unistd.h>

enum { PARTS = 16 };

static void
find_unit(struct sb_fprof *f)
{
    struct fp_piece first = {0};
    fp_input_record(&f->in, 0, &first);
    f->nanoseconds = first.n > FP_RECORD_HEAD &&
                     fp_decode_is_nanoseconds(first.bytes + FP_RECORD_HEAD, first.bytes + first.n);
    free(first.bytes);
}

bool
sb_fprof_open(struct sb_fprof *f, const char *const *paths, size_t n, struct sb_err *e)
{
    *f = (struct sb_fprof){.failed_at = FP_NOWHERE};
    struct sb_wrap_files files;
    if (!sb_wrap_find(paths, n, 0, &f->arena, &files, e) || !fp_input_open(&f->in, files.path, files.n, e)) {
        sb_arena_close(&f->arena);
        return false;
    }
    fp_terms_init(&f->funcs);
    fp_terms_init(&f->pids);
    sb_out_to_memory(&f->answer);
    find_unit(f);
    return true;
}

static void
close_sims(struct sb_fprof *f)
{
    for (unsigned i = 0; i < f->n_sims; i++)
        fp_sim_close(&f->sim[i]);
    free(f->sim);
    f->sim = NULL;
}

static void
open_sims(struct sb_fprof *f, const struct sb_fprof_options *o)
{
    f->n_sims = f->threads == 1 ? 1 : PARTS;
    f->sim = sb_realloc_or_die(NULL, f->n_sims * sizeof *f->sim);
    for (unsigned i = 0; i < f->n_sims; i++) {
        fp_sim_init(&f->sim[i], f->n_sims);
        f->sim[i].strict.on = o->strict;
    }
}

void
sb_fprof_close(struct sb_fprof *f)
{
    close_sims(f);
    fp_terms_close(&f->funcs);
    fp_terms_close(&f->pids);
    sb_out_abandon(&f->answer);
    fp_input_close(&f->in);
    sb_arena_close(&f->arena);
}

/* Returns whether a clause of fprof failed. fprof closes the stacks then, and reads on without handling
 * the records. */
static bool
was_thrown(const struct fp_pass *p)
{
    return p->stop.at != FP_NOWHERE && p->stop.kind != FP_CRASH && p->stop.kind != FP_NO_TERM_AT_ALL;
}

static void
finish(struct sb_fprof *f, struct fp_pass *p, const struct sb_fprof_options *o)
{
    f->any = p->n_handled > 0;
    f->first_t = o->strict ? p->min_t : p->first_t;
    f->last_t = o->strict ? p->max_t : p->last_t;
    f->file_order = f->any && (f->first_t != p->first_t || f->last_t != p->last_t);
    f->skipped = p->skipped;
    f->failed = p->stop.at != FP_NOWHERE || p->end != FP_END;
    if (f->failed)
        fp_put_reason(f, p, &f->answer);
    else
        sb_out_z(&f->answer, "ok");
    if (o->messages)
        fp_put_messages(f, p, o->messages);
    if (o->dump && was_thrown(p))
        fp_dump_thrown(f, p, o->dump);
    else if (o->dump && !f->failed)
        sb_out_z(o->dump, f->in.size == 0 ? "start_of_trace.\nend_of_trace.\n" : "end_of_trace.\n");
    if (!f->failed || was_thrown(p)) /* if fprof's reader dies, stacks stay open */
        for (unsigned i = 0; i < f->n_sims; i++)
            (o->strict ? fp_strict_close_stacks : fp_sim_close_stacks)(&f->sim[i], f->last_t);
}

static bool
run(struct sb_fprof *f, struct fp_pass *p, const struct sb_fprof_options *o, struct sb_err *e)
{
    open_sims(f, o);
    p->sim = f->sim;
    p->n_sims = f->n_sims;
    return fp_pass_run(p, e);
}

bool
sb_fprof_profile(struct sb_fprof *f, const struct sb_fprof_options *o, struct sb_err *e)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    f->threads = o->dump ? 1 : o->threads ? o->threads : cores > 1 ? (unsigned)cores : 1;
    struct fp_dump dump = {f, o->dump};
    struct fp_decoder *decoders = sb_realloc_or_die(NULL, f->threads * sizeof *decoders);
    for (unsigned i = 0; i < f->threads; i++)
        fp_decoder_init(&decoders[i], &f->funcs, &f->pids, f->nanoseconds);
    struct fp_pass p = {.in = &f->in,
                        .decoder = decoders,
                        .n_threads = f->threads,
                        .limit = FP_NOWHERE,
                        .strict = o->strict,
                        .seen = o->dump ? fp_dump_record : NULL,
                        .ctx = &dump};
    bool fine = run(f, &p, o, e);
    struct fp_throw thrown = p.thrown;
    if (fine && thrown.why) { /* other parts may have passed that record: repeat up to it */
        close_sims(f);
        p.limit = thrown.event.at;
        p.seen = NULL;
        fine = run(f, &p, o, e);
        p.thrown = thrown;
    }
    if (fine)
        finish(f, &p, o);
    for (unsigned i = 0; i < f->threads; i++)
        fp_decoder_close(&decoders[i]);
    free(decoders);
    return fine;
}
