/* Selects the picture to write as SVG. */
#include "export/svg.h"
#include "export/select.h"

SB_EXPORTER(svg) = {
    .name = "svg",
    .suffix = ".svg",
    .doc = "a flame graph, an overview of parallelism, or scheduler lanes: browsers, READMEs",
    .what = "flame overview schedulers",
    .write = write_svg,
};

static bool
write_svg(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out, struct sb_err *e)
{
    if (sb_select_what(o, "overview", "flame"))
        return sb_svg_overview(p, o, out, e);
    if (sb_select_what(o, "schedulers", "flame"))
        return sb_svg_schedulers(p, o, out, e);
    return sb_svg_flame(p, o, out, e);
}
