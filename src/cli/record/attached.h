/* Shared by `attach` and `record --nodes`: the lines about a node that runs already. */
#pragma once
#include "cli/record/first_look.h"
#include "live/attach/attach.h"

/* When its recording has begun. */
void sb_attached_print_plan(const struct sb_record_options *how, const struct sb_attach_begun *b);
/* What was recorded, with a first look at it, and what is left there. */
void sb_attached_print(const struct sb_attach_result *r, struct sb_look *look, bool recorded);
