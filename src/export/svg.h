/* The pictures that can be written as SVG. */
#pragma once
#include "export/export.h"

sb_export_write sb_svg_flame, sb_svg_overview, sb_svg_schedulers;

/*
 * Drawing SVG that is small enough for a README: plain shapes and text, tooltips in <title>, no script, no
 * style sheet. Coordinates are pixels with one decimal; text is escaped and cut to fit.
 */
#define SB_SVG_WIDTH 1200
#define SB_SVG_LEFT 150 /* where lanes begin; their names are to the left */
#define SB_SVG_FONT 12

void sb_svg_begin(struct sb_out *out, int height, struct sb_str title);
void sb_svg_end(struct sb_out *out);
struct sb_svg_box {
    double x, y, w, h;
};
void sb_svg_rect(struct sb_out *out, struct sb_svg_box box, const char *fill, double opacity);
void sb_svg_text(struct sb_out *out, double x, double y, double room,
                 struct sb_str text); /* cut to room pixels */
void sb_svg_escape(struct sb_out *out, struct sb_str text);
void sb_svg_axis(struct sb_out *out, double y, int64_t from_ns, int64_t to_ns); /* times below lanes */
