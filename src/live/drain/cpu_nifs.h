/* Which function of Erlang a NIF is: its code begins with the addresses of what it calls in C (ErtsNativeFunc). */
#pragma once
#include "live/drain/cpu_code.h"

/* Whether the function of the VM at this place calls NIFs. */
bool sb_cpu_nif_calls(struct sb_cpu_code *c, struct sb_cpu_code_place in);
/* The function of Erlang whose code in C is around `address`; false: none, or more than one. */
bool sb_cpu_nif_at(struct sb_cpu_code *c, uint64_t address, struct sb_cpu_code_place *nif);
