/* How long fewer processes were at work (on dirty schedulers, too) or ready than there are schedulers to run them: more
 * schedulers would not have helped then. Exact, by a sweep over the stays, where there are no more than a million. */
#ifndef SB_ANSWER_FEW_H
#define SB_ANSWER_FEW_H
#include "profile/profile.h"

/* false: there are more */
bool sb_few_find(const struct sb_profile *p, int64_t schedulers, int64_t span_ns, int64_t *few_ns);

#endif
