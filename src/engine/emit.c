#include "engine/emit.h"
#include "engine/pyramid.h"
#include "trace/names.h"

struct sb_emit {
    struct sb_run *run;
    struct sb_found found; /* being written */
    struct sb_jobs writing;
    bool busy; /* found is being written */
    SB_VEC(int64_t) text; /* by name id: handle + 1, 0 not yet said */
    struct sb_arena arena;
    struct sb_row_order order;
    int64_t call_nodes; /* numbered so far */
};

void
sb_row_put(struct sb_part *x, enum sb_tab t, int64_t at, const struct sb_proc *p)
{
    struct sb_rows *v = &x->rows[t];
    size_t cells = SB_ROW_HEAD + sb_schema[t].n_columns;
    SB_RESERVE(v, cells);
    int64_t *row = v->at + v->n;
    v->n += cells;
    row[SB_ROW_AT] = at;
    row[SB_ROW_BY] = (int64_t)p->id | (sb_actor_kind(p->actor) == SB_PORT ? INT64_C(1) << 40 : 0);
    const int64_t *before = v->n > cells ? row - cells : row;
    v->unordered |= at < before[SB_ROW_AT] && row[SB_ROW_BY] == before[SB_ROW_BY];
    memcpy(row + SB_ROW_HEAD, x->cells, sb_schema[t].n_columns * sizeof *row);
}

int64_t
sb_emit_text(struct sb_emit *m, uint32_t name)
{
    if (name == 0 || name == SB_UNKNOWN32)
        return SB_NULL;
    if (name >= m->text.n) {
        size_t more = name + 1 - m->text.n;
        SB_RESERVE(&m->text, more);
        memset(m->text.at + m->text.n, 0, more * sizeof *m->text.at);
        m->text.n = name + 1;
    }
    if (m->text.at[name] == 0) {
        const struct sb_names *names = m->run->names;
        struct sb_str s = sb_names_kind(names, name) == SB_NAME_TEXT ? sb_names_str(names, name)
                                                                     : sb_names_print(names, name, &m->arena);
        m->text.at[name] = sb_build_text(m->run->build, s) + 1;
        sb_arena_reset(&m->arena);
    }
    return m->text.at[name] - 1;
}

/* ---- rows ---- */

static void
say_texts(struct sb_emit *m, enum sb_tab t, struct sb_rows *v)
{
    const struct sb_tab_desc *desc = &sb_schema[t];
    size_t cells = SB_ROW_HEAD + desc->n_columns;
    for (unsigned c = 0; c < desc->n_columns; c++)
        if (desc->column[c].type == SB_TEXT)
            for (int64_t *at = v->at + SB_ROW_HEAD + c, *end = v->at + v->n; at < end; at += cells)
                *at = sb_emit_text(m, (uint32_t)*at);
}

/* A process's call nodes stand together: a parent is known by how many rows before it stands. */
static void
number_nodes(struct sb_emit *m)
{
    sb_rows_order(&m->order, m->found.rows[SB_T_call_node], SB_PARTS,
                  SB_ROW_HEAD + sb_schema[SB_T_call_node].n_columns);
    for (size_t i = 0; i < m->order.row.n; i++) {
        int64_t *row = (int64_t *)(uintptr_t)m->order.row.at[i].value + SB_ROW_HEAD;
        int64_t *parent = &row[SB_C_call_node__parent];
        row[SB_C_call_node__id] = ++m->call_nodes;
        *parent = *parent ? m->call_nodes - *parent : 0;
    }
}

/* ---- windows ---- */

static void
write_found(struct sb_emit *m)
{
    sb_pyramids_window(m->run->pyramids, &m->found);
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (unsigned i = 0; i < SB_PARTS; i++)
            say_texts(m, (enum sb_tab)t, &m->found.rows[t][i]);
    number_nodes(m);
    sb_build_window(m->run->build, &m->found.rows[0][0], SB_PARTS);
}

static void
write_job(void *ctx, size_t i, unsigned worker)
{
    (void)i;
    (void)worker;
    write_found(ctx);
}

static void
swap_rows(struct sb_rows *a, struct sb_rows *b)
{
    struct sb_rows keep = *a;
    *a = *b;
    *b = keep;
    b->n = 0;
    b->unordered = false;
}

static void
take_found(struct sb_emit *m)
{
    for (unsigned i = 0; i < SB_PARTS; i++) {
        struct sb_part *x = &m->run->part[i];
        for (unsigned t = 0; t < SB_TABLES; t++)
            swap_rows(&m->found.rows[t][i], &x->rows[t]);
        struct sb_spans keep = m->found.spans[i];
        m->found.spans[i] = x->spans;
        x->spans = keep;
        x->spans.n = 0;
    }
    m->found.window_end = m->run->window_end;
}

void
sb_emit_wait(struct sb_emit *m)
{
    if (m->busy)
        sb_pool_wait(m->run->pool, &m->writing);
    m->busy = false;
}

void
sb_emit_window(struct sb_emit *m)
{
    sb_pyramids_settle(m->run->pyramids);
    sb_emit_wait(m);
    take_found(m);
    sb_pool_start(m->run->pool, &m->writing);
    m->busy = true;
    if (m->run->workers == 1) {
        sb_emit_wait(m);
        take_found(m); /* so that the parts go on in memory that is warm */
    }
}

/* ---- opening and closing ---- */

struct sb_emit *
sb_emit_open(struct sb_run *r)
{
    struct sb_emit *m = calloc(1, sizeof *m);
    if (!m)
        sb_out_of_memory(sizeof *m);
    m->run = r;
    m->writing = (struct sb_jobs){.n = 1, .fn = write_job, .ctx = m};
    sb_arena_init(&m->arena);
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
            SB_VEC_FREE(&m->found.rows[t][i]);
        SB_VEC_FREE(&m->found.spans[i]);
    }
    SB_VEC_FREE(&m->text);
    sb_row_order_close(&m->order);
    sb_arena_close(&m->arena);
    free(m);
}
