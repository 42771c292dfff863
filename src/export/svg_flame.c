/* A flame graph: all stacks in one tree, width by time including callees, the outermost frame at the
 * bottom. */
#include "export/label.h"
#include "export/paths.h"
#include "export/svg.h"

#define ROW 17
#define NARROWEST 0.4 /* pixels */
#define TOP 40

struct flame {
    struct sb_stacks stacks;
    struct sb_out *out;
    struct sb_paths paths;
    uint32_t deepest;
    double scale;
};

static void
find_deepest(struct flame *f) /* of those wide enough to be drawn */
{
    for (size_t i = 1; i < f->paths.nodes.n; i++)
        if ((double)f->paths.nodes.at[i].total * f->scale >= NARROWEST &&
            f->paths.nodes.at[i].depth > f->deepest)
            f->deepest = f->paths.nodes.at[i].depth;
}

/* warm colours for code, green for collections; a name always has the same colour */
static void
find_colour(struct sb_str name, char *colour, size_t cap)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < name.n; i++)
        h = (h ^ (uint8_t)name.p[i]) * 1099511628211u;
    unsigned shade = (unsigned)(h >> 20) % 60;
    if (sb_str_eq(name, SB_STR("garbage_collect")))
        snprintf(colour, cap, "#7fc97f");
    else
        snprintf(colour, cap, "#%02x%02x%02x", 225 + shade / 3, 110 + (unsigned)(h >> 40) % 110, 60 + shade);
}

static void
put_node(struct flame *f, const struct sb_path *n, double x)
{
    char colour[16];
    struct sb_str name = sb_intern_text(&f->stacks.names, n->name);
    double w = (double)n->total * f->scale, y = TOP + (double)(f->deepest - n->depth) * ROW;
    find_colour(name, colour, sizeof colour);
    sb_out_z(f->out, "<g><title>");
    sb_svg_escape(f->out, name);
    sb_out_printf(f->out, " %s, %.2f %%</title>\n",
                  sb_human(n->total, sb_stacks_counts(&f->stacks) ? SB_U_COUNT : SB_U_NS).text,
                  100 * (double)n->total / (double)f->paths.nodes.at[0].total);
    sb_svg_rect(f->out, (struct sb_svg_box){x, y, w > 1 ? w - 0.3 : w, ROW - 1}, colour, 1);
    sb_svg_text(f->out, x + 3, y + 12, w - 6, name);
    sb_out_z(f->out, "</g>\n");
}

static int
by_name(const void *a, const void *b, void *ctx)
{
    const struct flame *f = ctx;
    const struct sb_path *x = &f->paths.nodes.at[*(const uint32_t *)a],
                         *y = &f->paths.nodes.at[*(const uint32_t *)b];
    return sb_str_cmp(sb_intern_text(&f->stacks.names, x->name), sb_intern_text(&f->stacks.names, y->name));
}

struct place {
    uint32_t node;
    double x;
};

/* children are drawn in the order of their names, so that two graphs of a program look alike */
static void
draw(struct flame *f)
{
    SB_SCOPED SB_VEC(struct place) todo = {0};
    SB_SCOPED SB_VEC(uint32_t) children = {0};
    *SB_PUSH(&todo) = (struct place){0, 0};
    while (todo.n > 0) {
        struct place at = todo.at[--todo.n];
        if (at.node > 0)
            put_node(f, &f->paths.nodes.at[at.node], at.x);
        children.n = 0;
        for (uint32_t c = f->paths.nodes.at[at.node].child; c; c = f->paths.nodes.at[c].next)
            *SB_PUSH(&children) = c;
        if (children.n > 0)
            qsort_r(children.at, children.n, sizeof *children.at, by_name, f);
        for (size_t i = 0; i < children.n; i++) {
            double w = (double)f->paths.nodes.at[children.at[i]].total * f->scale;
            if (w >= NARROWEST)
                *SB_PUSH(&todo) = (struct place){children.at[i], at.x};
            at.x += w;
        }
    }
}

bool
sb_svg_flame(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
             struct sb_err *e)
{
    struct flame f = {.out = out};
    struct sb_export_options any = *o;
    struct sb_label title;
    any.what = NULL;
    SB_TRY(sb_stacks_open(&f.stacks, p, &any, e));
    sb_stacks_note_folding(&f.stacks);
    sb_paths_open(&f.paths);
    sb_paths_add_all(&f.paths, &f.stacks);
    int64_t all = f.paths.nodes.at[0].total;
    f.scale = all > 0 ? SB_SVG_WIDTH / (double)all : 0;
    find_deepest(&f);
    struct sb_human total = sb_human(all, sb_stacks_counts(&f.stacks) ? SB_U_COUNT : SB_U_NS);
    sb_svg_begin(out, TOP + (int)(f.deepest + 1) * ROW, SB_STR("flame graph"));
    sb_svg_text(out, 5, 20, SB_SVG_WIDTH,
                sb_label_print(&title, "on schedulers, all processes: %s", total.text));
    draw(&f);
    sb_svg_end(out);
    sb_paths_close(&f.paths);
    sb_stacks_close(&f.stacks);
    return true;
}
