/* Samples of the CPU in Perfetto's format: a sequence of packets of its own. */
#pragma once
#include "export/export.h"

/* A scheduler is the thread of this number, in the process of the node's. */
enum { SB_PERFETTO_TID = 1000 };
void sb_perfetto_cpu(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out);
