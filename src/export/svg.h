/* The pictures that can be written as SVG. */
#ifndef SB_EXPORT_SVG_H
#define SB_EXPORT_SVG_H
#include "export/export.h"

bool sb_svg_flame(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
                  struct sb_err *e);
bool sb_svg_overview(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
                     struct sb_err *e);
bool sb_svg_schedulers(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
                       struct sb_err *e);

#endif
