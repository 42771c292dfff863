/* The functions that took the CPU, in words: "m:f/1 62 %, garbage collection 10 %". */
#pragma once
#include "answer/answer.h"
#include "why/run/vm_work.h"

/* Functions of Erlang with what the VM did for them; empty: none had a twentieth, or there are too few samples. */
const char *sb_hot_functions(const struct sb_ask *ask, const struct sb_vm_samples *v);
/* "1,204 samples: within 3 points" */
const char *sb_hot_error(const struct sb_ask *ask, const struct sb_vm_samples *v);
