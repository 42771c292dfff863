#include "profile/range.h"

struct sb_range
sb_range_of(const struct sb_profile *p, int64_t since_ns, int64_t until_ns)
{
    bool open = until_ns == SB_NULL || until_ns >= sb_profile_span(p);
    return (struct sb_range){since_ns == SB_NULL ? 0 : since_ns, open ? INT64_MAX : until_ns};
}

bool
sb_range_has(struct sb_range r, int64_t at_ns)
{
    return at_ns != SB_NULL && at_ns >= r.from && at_ns < r.to;
}

int64_t
sb_range_part(struct sb_range r, int64_t start_ns, int64_t end_ns)
{
    int64_t from_ns = start_ns > r.from ? start_ns : r.from;
    int64_t to_ns = end_ns < r.to ? end_ns : r.to;
    return from_ns < to_ns ? to_ns - from_ns : 0;
}

bool
sb_range_lives(struct sb_range r, int64_t start_ns, int64_t end_ns)
{
    return (start_ns == SB_NULL || start_ns < r.to) &&
           (end_ns == SB_NULL || end_ns > r.from || (start_ns != SB_NULL && start_ns >= r.from));
}

bool
sb_range_clip(struct sb_range r, int64_t *start_ns, int64_t *dur_ns)
{
    int64_t end_ns;
    if (*start_ns == SB_NULL || *dur_ns == SB_NULL || *dur_ns < 0 ||
        __builtin_add_overflow(*start_ns, *dur_ns, &end_ns))
        return false;
    if (*dur_ns == 0)
        return sb_range_has(r, *start_ns);
    int64_t part_ns = sb_range_part(r, *start_ns, end_ns);
    if (part_ns == 0)
        return false;
    *start_ns = *start_ns > r.from ? *start_ns : r.from;
    *dur_ns = part_ns;
    return true;
}

void
sb_range_scan(struct sb_range r, struct sb_scan *s, unsigned column, int64_t longest_ns)
{
    int64_t least;
    if (longest_ns <= 0)
        least = r.from;
    else if (__builtin_sub_overflow(r.from, longest_ns, &least) || least == SB_NULL)
        least = SB_NULL + 1;
    sb_scan_where(s, column, least, r.to - 1);
}
