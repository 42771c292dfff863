/*
 * Activity over time, in columns of some pixels: how many processes were running and runnable (overview), or
 * how busy each scheduler was (schedulers). A column has the exact nanoseconds of its time, so full, empty
 * and partial stay distinct at any width: a lane is solid only where the scheduler never stopped.
 */
#include "base/map.h"
#include "export/label.h"
#include "export/select.h"
#include "export/spans.h"
#include "export/svg.h"
#include <stdlib.h>

#define COLUMNS 495
#define COLUMN_WIDTH 2.0
#define LANE 22
#define CHART 160
#define TOP 40

struct lanes {
    int64_t from_ns, to_ns;
    size_t n; /* lanes */
    /* by lane and column: ns; the overview: running in lane 0, runnable in lane 1 */
    int64_t *busy, *gc;
    struct sb_map lane_of; /* scheduler -> lane */
};

static int64_t
edge(const struct lanes *l, size_t column) /* the moment where a column begins */
{
    return l->from_ns + (int64_t)((__int128)(l->to_ns - l->from_ns) * (int64_t)column / COLUMNS);
}

static void
add(const struct lanes *l, int64_t *lane, int64_t start_ns, int64_t dur_ns)
{
    int64_t end_ns = start_ns + dur_ns;
    size_t c = start_ns <= l->from_ns
                   ? 0
                   : (size_t)((__int128)(start_ns - l->from_ns) * COLUMNS / (l->to_ns - l->from_ns));
    for (; c < COLUMNS && edge(l, c) < end_ns; c++) {
        int64_t from = edge(l, c) > start_ns ? edge(l, c) : start_ns,
                to = edge(l, c + 1) < end_ns ? edge(l, c + 1) : end_ns;
        lane[c] += to > from ? to - from : 0;
    }
}

static void
open_lanes(struct lanes *l, const struct sb_profile *p, const struct sb_export_options *o, size_t n)
{
    int64_t span_ns = sb_select_span_ns(p);
    *l = (struct lanes){.from_ns = o->since_ns == SB_NULL ? 0 : o->since_ns,
                        .to_ns = o->until_ns == SB_NULL ? span_ns : o->until_ns,
                        .n = n};
    if (l->to_ns <= l->from_ns)
        l->to_ns = l->from_ns + COLUMNS;
    size_t bytes = sb_mul_or_die(sizeof *l->busy, (n + 1) * COLUMNS);
    memset(l->busy = sb_realloc_or_die(NULL, bytes), 0, bytes);
    memset(l->gc = sb_realloc_or_die(NULL, bytes), 0, bytes);
}

static void
close_lanes(struct lanes *l)
{
    free(l->busy);
    free(l->gc);
    sb_map_close(&l->lane_of);
}

/* ---- schedulers */

static void
add_to_scheduler(void *ctx, const struct sb_export_span *s)
{
    struct lanes *l = ctx;
    uint32_t *lane = sb_map_get(&l->lane_of, (uint64_t)s->scheduler);
    if (lane)
        add(l, (s->state == SB_STATE_GC ? l->gc : l->busy) + *lane * COLUMNS, s->start_ns, s->dur_ns);
}

/* 0 is empty, FULL is active throughout, with shades between: rounding never makes a column empty or full */
#define FULL 8
static unsigned
shade(const struct lanes *l, const int64_t *column, size_t c)
{
    int64_t width = edge(l, c + 1) - edge(l, c);
    if (column[c] <= 0 || column[c] >= width)
        return column[c] > 0 ? FULL : 0;
    return 1 + (unsigned)((double)column[c] / (double)width * (FULL - 1));
}

static void
put_lane(struct sb_out *out, const struct lanes *l, const int64_t *column, double y, double h,
         const char *fill)
{
    for (size_t c = 0, next; c < COLUMNS; c = next) {
        unsigned s = shade(l, column, c);
        for (next = c + 1; next < COLUMNS && shade(l, column, next) == s;)
            next++;
        struct sb_svg_box box = {SB_SVG_LEFT + (double)c * COLUMN_WIDTH, y, (double)(next - c) * COLUMN_WIDTH,
                                 h};
        if (s > 0)
            sb_svg_rect(out, box, fill, s == FULL ? 1 : 0.1 + 0.1 * s);
    }
}

static double
percent(const struct lanes *l, const int64_t *column)
{
    int64_t sum = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        sum += column[c];
    return 100 * (double)sum / (double)(l->to_ns - l->from_ns);
}

static void
draw_schedulers(struct sb_out *out, const struct sb_profile *p, const struct lanes *l)
{
    struct sb_label name, busy;
    for (size_t i = 0; i < l->n; i++) {
        double y = TOP + (double)i * LANE;
        int64_t id = SB_CELL(p, scheduler, id, i);
        sb_svg_text(out, 5, y + 14, SB_SVG_LEFT - 10, sb_label_scheduler(p, id, &name));
        put_lane(out, l, l->busy + i * COLUMNS, y, LANE - 4, "#2ca02c");
        put_lane(out, l, l->gc + i * COLUMNS, y + LANE - 8, 4, "#9467bd");
        sb_svg_text(out, SB_SVG_LEFT + COLUMNS * COLUMN_WIDTH + 4, y + 14, 60,
                    sb_label_print(&busy, "%.1f %%", percent(l, l->busy + i * COLUMNS)));
    }
}

bool
sb_svg_schedulers(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
                  struct sb_err *e)
{
    (void)e;
    struct lanes l;
    open_lanes(&l, p, o, sb_profile_rows(p, SB_T_scheduler));
    for (size_t i = 0; i < l.n; i++) {
        *sb_map_put(&l.lane_of, (uint64_t)SB_CELL(p, scheduler, id, i), NULL) = (uint32_t)i;
    }
    sb_spans_running(p, o, NULL, add_to_scheduler, &l);
    sb_spans_gc(p, o, NULL, add_to_scheduler, &l);
    sb_svg_begin(out, TOP + (int)l.n * LANE + 25, SB_STR("scheduler lanes"));
    sb_svg_text(out, 5, 20, SB_SVG_WIDTH,
                SB_STR("schedulers in use (solid: without a pause), garbage collection below"));
    draw_schedulers(out, p, &l);
    sb_svg_axis(out, TOP + (double)l.n * LANE, l.from_ns, l.to_ns);
    sb_svg_end(out);
    close_lanes(&l);
    return true;
}

/* ---- overview */

static void
add_to_overview(void *ctx, const struct sb_export_span *s)
{
    struct lanes *l = ctx;
    if (s->process == 0 || (s->state != SB_STATE_RUNNING && s->state != SB_STATE_RUNNABLE))
        return;
    add(l, l->busy + (s->state == SB_STATE_RUNNABLE) * COLUMNS, s->start_ns, s->dur_ns);
}

static double
average(const struct lanes *l, size_t lane, size_t c)
{
    int64_t width = edge(l, c + 1) - edge(l, c);
    return width > 0 ? (double)l->busy[lane * COLUMNS + c] / (double)width : 0;
}

/* the outline of running (level 1), or of running and runnable (level 2), down to the base line */
static void
put_area(struct sb_out *out, const struct lanes *l, size_t level, double most, const char *fill)
{
    sb_out_printf(out, "<path fill=\"%s\" d=\"M%d %d", fill, SB_SVG_LEFT, TOP + CHART);
    double before = -1;
    for (size_t c = 0; c < COLUMNS; c++) {
        double v = average(l, 0, c) + (level == 2 ? average(l, 1, c) : 0), y = TOP + CHART * (1 - v / most);
        if (v != before)
            sb_out_printf(out, "H%.0fV%.1f", SB_SVG_LEFT + (double)c * COLUMN_WIDTH, y);
        before = v;
    }
    sb_out_printf(out, "H%.0fV%dZ\"/>\n", SB_SVG_LEFT + COLUMNS * COLUMN_WIDTH, TOP + CHART);
}

bool
sb_svg_overview(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
                struct sb_err *e)
{
    (void)e;
    struct lanes l;
    struct sb_label label;
    double most = 1;
    open_lanes(&l, p, o, 2);
    sb_spans_running(p, o, NULL, add_to_overview, &l);
    sb_spans_off(p, o, NULL, add_to_overview, &l);
    for (size_t c = 0; c < COLUMNS; c++)
        most = average(&l, 0, c) + average(&l, 1, c) > most ? average(&l, 0, c) + average(&l, 1, c) : most;
    sb_svg_begin(out, TOP + CHART + 25, SB_STR("overview"));
    sb_svg_text(out, 5, 20, SB_SVG_WIDTH,
                sb_label_print(&label, "processes running (green, %.2f on average) and runnable (orange)",
                               percent(&l, l.busy) / 100));
    put_area(out, &l, 2, most, "#ff9e4a");
    put_area(out, &l, 1, most, "#2ca02c");
    sb_svg_text(out, 5, TOP + 12, SB_SVG_LEFT - 10, sb_label_print(&label, "%.1f", most));
    sb_svg_text(out, 5, TOP + CHART, SB_SVG_LEFT - 10, SB_STR("0"));
    sb_svg_axis(out, TOP + CHART, l.from_ns, l.to_ns);
    sb_svg_end(out);
    close_lanes(&l);
    return true;
}
