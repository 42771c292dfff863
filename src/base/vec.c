#include "base/vec.h"

void *
sb_vec_grow(void *at, size_t need, size_t *cap, size_t elem)
{
    size_t doubled = sb_mul_or_die(*cap, 2), smallest = 16;
    size_t n = need > doubled ? need : doubled;
    *cap = n > smallest ? n : smallest;
    return sb_realloc_or_die(at, sb_mul_or_die(*cap, elem));
}
