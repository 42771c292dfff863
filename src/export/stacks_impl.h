/* The sources of stacks.h that have a file of their own. */
#ifndef SB_EXPORT_STACKS_IMPL_H
#define SB_EXPORT_STACKS_IMPL_H
#include "export/stacks.h"

bool sb_stacks_each_cpu(struct sb_stacks *s);

#endif
