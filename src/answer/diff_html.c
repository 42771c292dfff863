/* The rows of diff.h as a page in one file, without scripts: a bar for each change, red for more in B, else blue. */
#include "answer/diff.h"
#include <math.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>strobe diff</title>\n<style>\n"
    "body{font:14px/1.5 system-ui,sans-serif;margin:2em;color:#1c1c1c;background:#fff}\n"
    "table{border-collapse:collapse}th{text-align:left}td,th{padding:.15em .8em .15em 0;white-space:nowrap}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}td.s{white-space:normal;overflow-wrap:anywhere}"
    "\n"
    "tr+tr td{border-top:1px solid #8883}.b{position:relative;width:16em;height:1.1em;background:#8882}\n"
    ".b i,.b u{position:absolute;top:15%;height:70%}.b u{top:45%;height:10%;background:currentColor}\n"
    ".b s{position:absolute;left:50%;top:0;height:100%;border-left:1px solid #888}\n"
    ".more{background:#d1495b}.less{background:#3b7dd8}summary{margin:1em 0;cursor:pointer}\n"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}}\n</style></head><body>\n<h1>";

static void
put_text(struct sb_out *out, struct sb_str s)
{
    for (size_t i = 0; i < s.n; i++)
        switch (s.p[i]) {
        case '<':
            sb_out_z(out, "&lt;");
            break;
        case '>':
            sb_out_z(out, "&gt;");
            break;
        case '&':
            sb_out_z(out, "&amp;");
            break;
        case '"':
            sb_out_z(out, "&quot;");
            break;
        default:
            sb_out_char(out, s.p[i]);
        }
}

/* Where a change is on the bar, in per cent of its width: none in the middle, nothing and twice as much at the ends. */
static double
place(double change)
{
    return 50 + 50 * fmax(-1, fmin(1, change));
}

static void
put_bar(struct sb_out *out, const union sb_cell *row)
{
    double to = place(row[SB_DIFF_CHANGE].f), low = place(row[SB_DIFF_LOW].f),
           high = place(row[SB_DIFF_HIGH].f);
    sb_out_z(out, "<td><div class=\"b\">");
    if (!isnan(row[SB_DIFF_CHANGE].f))
        sb_out_printf(out, "<i class=\"%s\" style=\"left:%.1f%%;width:%.1f%%\"></i>",
                      to > 50 ? "more" : "less", fmin(to, 50), fabs(to - 50));
    if (!isnan(row[SB_DIFF_LOW].f))
        sb_out_printf(out, "<u style=\"left:%.1f%%;width:%.1f%%\"></u>", low, fmax(high - low, 0.5));
    sb_out_z(out, "<s></s></div></td>");
}

static void
put_rows(const struct sb_table *t, bool significant, bool both, struct sb_out *out)
{
    sb_out_z(out, "<table><tr><th>kind<th>subject<th>A");
    sb_out_z(out, both ? "<th>B<th>change<th>between<th></tr>\n" : "</tr>\n");
    for (size_t r = 0; r < t->n_rows; r++) {
        const union sb_cell *row = t->cell + r * t->n_columns;
        struct sb_str text[SB_DIFF_TEXTS];
        if ((row[SB_DIFF_SIGNIFICANT].i == 1) != significant)
            continue;
        size_t n = sb_diff_texts(row, both, t->arena, text);
        sb_out_z(out, "<tr>");
        for (size_t i = 0; i < n; i++) {
            sb_out_z(out, i == 1 ? "<td class=\"s\">" : i > 1 ? "<td class=\"n\">" : "<td>");
            put_text(out, text[i]);
            sb_out_z(out, "</td>");
        }
        if (both)
            put_bar(out, row);
        sb_out_z(out, "</tr>\n");
    }
    sb_out_z(out, "</table>\n");
}

void
sb_diff_write_html(const struct sb_diff *d, const struct sb_table *t, struct sb_out *out)
{
    bool both = sb_diff_runs(d, true) > 0, tells = sb_diff_can_tell(d);
    sb_out_z(out, head);
    sb_diff_write_head(d, t, "</h1>\n<p>", out);
    sb_out_z(out, "</p>\n");
    if (tells) {
        put_rows(t, true, both, out);
        sb_out_z(out, "<details><summary>Figures that do not differ beyond the noise</summary>\n");
    }
    put_rows(t, false, both, out);
    sb_out_z(out, tells ? "</details>\n</body></html>\n" : "</body></html>\n");
}
