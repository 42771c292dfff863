/* Length-carrying strings. A string never owns its bytes; {NULL, 0} is the empty string and means "absent".
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct sb_str {
    const char *p;
    size_t n;
};

#define SB_STR(lit) ((struct sb_str){(lit), sizeof(lit) - 1})
#define SB_STR_ARG(s) (int)(s).n, (s).p /* for "%.*s" */

static inline struct sb_str
sb_str_of(const char *z)
{
    return (struct sb_str){z, z ? strlen(z) : 0};
}

static inline bool
sb_str_eq(struct sb_str a, struct sb_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* By bytes, shorter first on a common prefix: for UTF-8 this is code point order. */
static inline int
sb_str_cmp(struct sb_str a, struct sb_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

bool sb_str_starts(struct sb_str s, struct sb_str prefix);
bool sb_str_ends(struct sb_str s, struct sb_str suffix);
bool sb_str_has(struct sb_str s, struct sb_str part);             /* false for an empty part */
struct sb_str sb_str_sub(struct sb_str s, size_t from, size_t n); /* clamped to s */
size_t sb_str_find(struct sb_str s, char c);                      /* s.n when absent */
struct sb_str sb_str_cut(struct sb_str *rest, char sep);          /* takes the part before sep off rest */
struct sb_str sb_str_trim(struct sb_str s);         /* blanks, tabs and line ends at both sides */
bool sb_str_to_u64(struct sb_str s, uint64_t *out); /* decimal, the whole of s, no overflow */
bool sb_str_to_i64(struct sb_str s, int64_t *out);
/* "1500", "1.5s", "20ms", "3us", "7ns", "2m": a time in nanoseconds */
bool sb_str_to_ns(struct sb_str s, int64_t *out_ns);
/* "64M", "4k", "1G", "4096": a size in bytes */
bool sb_str_to_bytes(struct sb_str s, uint64_t *out_bytes);
