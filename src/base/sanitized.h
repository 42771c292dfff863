/* SB_UNDER_ASAN and SB_UNDER_TSAN: 1 if the compiler, gcc or clang, adds that sanitizer, else 0. */
#pragma once

#ifdef __has_feature
#define SB_HAS_FEATURE(x) __has_feature(x)
#else
#define SB_HAS_FEATURE(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || SB_HAS_FEATURE(address_sanitizer)
#define SB_UNDER_ASAN 1
#else
#define SB_UNDER_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__) || SB_HAS_FEATURE(thread_sanitizer)
#define SB_UNDER_TSAN 1
#else
#define SB_UNDER_TSAN 0
#endif
