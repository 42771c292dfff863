/* One reading of a running node: its schedulers, processes and groups of processes, in a table of three parts. */
#include "answer/reading.h"
#include <string.h>

static const struct sb_column columns[] = {
    [SB_READING_KIND] = {"kind", SB_TEXT, SB_U_NONE, "scheduler, process or group"},
    [SB_READING_NAME] = {"name", SB_TEXT, SB_U_NONE,
                         "of a process its registered name, label or entry; of a group the common entry"},
    [SB_READING_CORE] = {"core_ppm", SB_INT, SB_U_PPM,
                         "time on a scheduler, garbage collection included, as a share of one core"},
    [SB_READING_GC] = {"gc_ppm", SB_INT, SB_U_PPM, "part of core_ppm spent in garbage collection"},
    [SB_READING_DIRTY] = {"dirty_ppm", SB_INT, SB_U_PPM, "part of core_ppm on dirty schedulers, without gc"},
    [SB_READING_SLICES] = {SB_OF(process, slices)},
    [SB_READING_SENDS] = {SB_OF(process, sends)},
    [SB_READING_RECEIVES] = {SB_OF(process, receives)},
    [SB_READING_MAILBOX] = {"mailbox", SB_INT, SB_U_COUNT, "length of its mailbox at the end"},
    [SB_READING_MEMORY] = {"memory_bytes", SB_INT, SB_U_BYTES, "its memory at the end"},
    [SB_READING_PROCESSES] = {"processes", SB_INT, SB_U_COUNT, "processes of the group"},
    [SB_READING_ENTRY] = {"entry", SB_TEXT, SB_U_NONE, "function it was spawned with"},
    [SB_READING_PID] = {SB_OF(process, pid)},
    [SB_READING_INTERVAL] = {"interval_ns", SB_INT, SB_U_NS, "length of the reading"},
    {0},
};

static const struct sb_answer reading = {
    .name = "reading",
    .title = "One reading of a running node",
    .order = "core_ppm",
    .column = columns,
};

void
sb_reading_init(struct sb_table *t, struct sb_arena *a)
{
    sb_table_init(t, a, columns, SB_READING_COLUMNS);
}

/* ---- text: a table for each part */

static const struct part {
    const char *kind, *title, *narrow, *hide;
} parts[] = {
    {"scheduler", "Schedulers", "name,core_ppm,gc_ppm,slices",
     "kind,dirty_ppm,sends,receives,mailbox,memory,processes,entry,pid,interval_ns"},
    {"process", "Processes", "name,core_ppm,slices,sends,receives,mailbox,memory,pid",
     "kind,dirty_ppm,processes,entry,interval_ns"},
    {"group", "Groups", "name,core_ppm,gc_ppm,slices,sends,receives,processes",
     "kind,dirty_ppm,mailbox,memory,entry,pid,interval_ns"},
};

/* The rows of one part. Values show their unit, so the header of the memory omits it. */
static void
select_rows(const struct sb_table *t, const char *kind, struct sb_table *of)
{
    struct sb_column *column = SB_NEW_N(t->arena, struct sb_column, SB_READING_COLUMNS);
    memcpy(column, columns, sizeof *column * SB_READING_COLUMNS);
    column[SB_READING_MEMORY].name = "memory";
    sb_table_init(of, t->arena, column, SB_READING_COLUMNS);
    for (size_t r = 0; r < t->n_rows; r++) {
        const union sb_cell *from = &t->cell[r * t->n_columns];
        if (sb_str_eq(from[SB_READING_KIND].s, sb_str_of(kind)))
            memcpy(sb_table_row(of), from, sizeof *from * SB_READING_COLUMNS);
    }
}

static void
write_part(const struct sb_ask *ask, const struct sb_table *t, const struct part *p, size_t width,
           struct sb_out *out)
{
    struct sb_answer shown = reading;
    struct sb_table of, text;
    struct sb_str unknown;
    shown.narrow = p->narrow;
    shown.hide = p->hide;
    select_rows(t, p->kind, &of);
    of.title = sb_str_of(p->title);
    sb_answer_text(&shown, ask, &of, width, &text, &unknown);
    sb_table_write(&text, SB_FORMAT_TEXT, out);
    if (of.n_rows > 0 && unknown.n > 0)
        sb_out_printf(out, "-- unknown: %.*s\n", SB_STR_ARG(unknown));
}

void
sb_reading_write(const struct sb_question *q, const struct sb_table *t, int64_t interval_ns, size_t width,
                 struct sb_out *out)
{
    char length[40];
    const struct sb_ask ask = {.q = q, .arena = t->arena};
    int n = (int)sb_human(length, sizeof length, interval_ns, SB_U_NS);
    sb_out_printf(out, "A reading of %.*s\n", n, length);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sb_out_char(out, '\n');
        write_part(&ask, t, &parts[i], width, out);
    }
}
