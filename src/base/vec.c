#include "base/vec.h"

void *
sb_vec_grow_few(void *at, size_t need, size_t *cap, size_t elem)
{
    size_t doubled = sb_mul_or_die(*cap, 2);
    *cap = need > doubled ? need : doubled;
    return sb_realloc_or_die(at, sb_mul_or_die(*cap, elem));
}

void *
sb_vec_grow(void *at, size_t need, size_t *cap, size_t elem)
{
    enum { SMALLEST = 16 };
    return sb_vec_grow_few(at, need > SMALLEST ? need : SMALLEST, cap, elem);
}

void *
sb_vec_reach(void *at, size_t i, size_t *n, size_t *cap, size_t elem)
{
    if (i >= *cap)
        at = sb_vec_grow(at, i + 1, cap, elem);
    memset((char *)at + *n * elem, 0, (i + 1 - *n) * elem);
    *n = i + 1;
    return at;
}

void
sb_vec_close(void *v)
{
    void *at;
    memcpy(&at, v, sizeof at);
    free(at);
}
