/*
 * SB_WIDE stands in front of a function that is one plain loop over an array: it is compiled for wider
 * registers, too, and which of the two runs is settled when the program starts. Both do the same. There is
 * but the plain one where a libc other than glibc links the program, and under the thread sanitizer, which is
 * not awake yet when that is settled.
 */
#ifndef SB_BASE_WIDE_H
#define SB_BASE_WIDE_H
#include <stdint.h> /* of which libc this is: __GLIBC__ */

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_THREAD__) &&                            \
    __has_attribute(target_clones)
#define SB_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define SB_WIDE
#endif

#endif
