/*
 * Costs that are known as sums only, and are moved out of the work that contains them: the tracer's, and the time
 * in which the operating system ran something else while a scheduler thread was ready.
 */
#ifndef SB_WHY_ACCOUNT_COSTS_H
#define SB_WHY_ACCOUNT_COSTS_H
#include "why/account/account.h"

void sb_account_take_costs(const struct sb_profile *p, struct sb_accounts *x, struct sb_arena *a);

#endif
