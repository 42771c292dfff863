/*
 * SB_WIDE marks a function that is one plain loop over an array. The compiler makes a second version of it
 * for wider vector registers, and the dynamic linker picks one at program start. Both give the same result.
 * Only the plain version exists with a libc other than glibc, and under the thread sanitizer, which is not
 * initialised at that point.
 */
#pragma once
#include "base/sanitized.h"
#include <stdint.h> /* for __GLIBC__ */

#if defined(__x86_64__) && defined(__GLIBC__) && !SB_UNDER_TSAN && __has_attribute(target_clones)
#define SB_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define SB_WIDE
#endif
