#include "engine/out/emit.h"
#include "engine/pyramid/pyramid.h"
#include "trace/names.h"

struct sb_emit {
    const struct sb_run *run;
    struct sb_found found; /* being written */
    bool taken[SB_TABLES]; /* whether found holds the rows of a table */
    struct sb_jobs writing;
    bool busy;            /* found is being written */
    SB_VEC(int64_t) text; /* by name id: builder handle + 1; 0: not interned yet */
    struct sb_arena arena;
};

int64_t
sb_emit_text(struct sb_emit *m, uint32_t name)
{
    if (name == 0 || name == SB_UNKNOWN32)
        return SB_NULL;
    SB_REACH(&m->text, name);
    if (m->text.at[name] == 0) {
        const struct sb_names *names = m->run->names;
        struct sb_str s = sb_names_kind(names, name) == SB_NAME_TEXT ? sb_names_str(names, name)
                                                                     : sb_names_print(names, name, &m->arena);
        m->text.at[name] = sb_build_text(m->run->services.build, s) + 1;
        sb_arena_reset(&m->arena);
    }
    return m->text.at[name] - 1;
}

static int64_t
handle_of(void *ctx, uint32_t name)
{
    return sb_emit_text(ctx, name);
}

/* ---- windows ---- */

/* These jobs are independent. */
static void
write_job(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct sb_emit *m = ctx;
    sb_pool_stage(m->run->services.pool, i < SB_PYRAMID_JOBS ? "sum up by time" : "pack rows");
    if (i < SB_PYRAMID_JOBS) {
        sb_pyramids_window(m->run->pyramids, &m->found, (enum sb_pyramid_job)i);
        return;
    }
    sb_build_names(m->run->services.build, handle_of, m);
    sb_build_window(m->run->services.build, &m->found.rows[0][0], SB_PARTS);
}

static void
swap_rows(struct sb_emit *m, enum sb_tab t)
{
    for (unsigned i = 0; i < SB_PARTS; i++) {
        struct sb_rows *a = &m->found.rows[t][i], *b = &m->run->part[i].rows[t], keep = *a;
        *a = *b;
        *b = keep;
    }
}

static void
swap_spans(struct sb_emit *m)
{
    for (unsigned i = 0; i < SB_PARTS; i++) {
        struct sb_part *x = &m->run->part[i];
        struct sb_part_spans keep = m->found.spans[i];
        m->found.spans[i] = x->spans;
        x->spans = keep;
        x->spans.n = 0;
    }
}

/* The rows of a table stay in their parts until they fill a segment. */
static void
take_found(struct sb_emit *m)
{
    const struct sb_build *b = m->run->services.build;
    for (unsigned t = 0; t < SB_TABLES; t++) {
        size_t n = 0;
        for (unsigned i = 0; i < SB_PARTS; i++)
            n += m->run->part[i].rows[t].n;
        m->taken[t] = sb_build_takes(b, (enum sb_tab)t, n);
        for (unsigned i = 0; i < SB_PARTS && !m->taken[t]; i++)
            sb_rows_settle(&m->run->part[i].rows[t]);
        if (m->taken[t])
            swap_rows(m, (enum sb_tab)t);
    }
    swap_spans(m);
    m->found.window_end = m->run->axis.window_end;
    m->found.last = sb_rel(m->run, m->run->axis.last);
}

/* Returns the buffers to their parts, whose memory is still in the cache. */
static void
give_back(struct sb_emit *m)
{
    for (unsigned t = 0; t < SB_TABLES; t++)
        if (m->taken[t])
            swap_rows(m, (enum sb_tab)t);
    swap_spans(m);
}

void
sb_emit_wait(struct sb_emit *m)
{
    if (m->busy)
        sb_pool_wait(m->run->services.pool, &m->writing);
    m->busy = false;
}

void
sb_emit_window(struct sb_emit *m)
{
    sb_pyramids_settle(m->run->pyramids);
    sb_emit_wait(m);
    take_found(m);
    sb_pool_start(m->run->services.pool, &m->writing);
    m->busy = true;
    if (m->run->services.workers == 1) {
        sb_emit_wait(m);
        give_back(m);
    }
}

void
sb_emit_last(struct sb_emit *m)
{
    sb_emit_wait(m);
    for (unsigned t = 0; t < SB_TABLES; t++)
        swap_rows(m, (enum sb_tab)t);
    sb_build_last(m->run->services.build, &m->found.rows[0][0], SB_PARTS);
}

/* ---- opening and closing ---- */

struct sb_emit *
sb_emit_open(const struct sb_run *r)
{
    struct sb_emit *m = sb_zeroed_or_die(1, sizeof *m);
    m->run = r;
    m->writing = (struct sb_jobs){.n = SB_PYRAMID_JOBS + 1, .fn = write_job, .ctx = m};
    return m;
}

void
sb_emit_close(struct sb_emit *m)
{
    if (!m)
        return;
    sb_emit_wait(m);
    for (unsigned i = 0; i < SB_PARTS; i++) {
        for (unsigned t = 0; t < SB_TABLES; t++)
            sb_rows_free(&m->found.rows[t][i]);
        SB_VEC_FREE(&m->found.spans[i]);
    }
    SB_VEC_FREE(&m->text);
    sb_arena_close(&m->arena);
    free(m);
}
