/* The pictures that can be written as SVG. */
#ifndef SB_EXPORT_SVG_H
#define SB_EXPORT_SVG_H
#include "export/export.h"

sb_export_write sb_svg_flame, sb_svg_overview, sb_svg_schedulers;

#endif
