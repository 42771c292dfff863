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
