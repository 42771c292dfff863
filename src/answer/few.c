#include "answer/few.h"
#include "base/sort.h"
#include "base/vec.h"
#include "profile/profile.h"

enum { MOST_EXACT = 1000000 };

typedef SB_VEC(struct sb_sort_key) changes; /* key: time, and 1 for one more, 0 for one less */

static void
put(changes *v, int64_t from, int64_t to)
{
    if (from < 0 || to <= from)
        return;
    *SB_PUSH(v) = (struct sb_sort_key){(uint64_t)from << 1 | 1, 0};
    *SB_PUSH(v) = (struct sb_sort_key){(uint64_t)to << 1, 0};
}

static void
put_at_work(changes *v, const struct sb_profile *p)
{
    struct sb_scan s;
    sb_scan_open(&s, p, SB_T_slice);
    unsigned process = sb_scan_want(&s, SB_C_slice__process), start = sb_scan_want(&s, SB_C_slice__start),
             dur = sb_scan_want(&s, SB_C_slice__dur);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            if (s.value[process][i] != SB_NULL)
                put(v, s.value[start][i], s.value[start][i] + s.value[dur][i]);
    sb_scan_close(&s);
}

static void
put_ready(changes *v, const struct sb_profile *p)
{
    struct sb_scan s;
    sb_scan_open(&s, p, SB_T_gap);
    unsigned start = sb_scan_want(&s, SB_C_gap__start), wait = sb_scan_want(&s, SB_C_gap__wait_ns),
             runnable = sb_scan_want(&s, SB_C_gap__runnable_ns);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            int64_t ready = s.value[start][i] + s.value[wait][i];
            put(v, ready, ready + s.value[runnable][i]);
        }
    sb_scan_close(&s);
}

static int64_t
sweep(const changes *v, int64_t schedulers, int64_t span_ns)
{
    int64_t able = 0, last = 0, few = 0;
    for (size_t i = 0; i < v->n; i++) {
        int64_t at = (int64_t)(v->at[i].key >> 1);
        few += able < schedulers ? at - last : 0;
        able += v->at[i].key & 1 ? 1 : -1;
        last = at;
    }
    return few + (able < schedulers ? span_ns - last : 0);
}

bool
sb_few_find(const struct sb_profile *p, int64_t schedulers, int64_t span_ns, int64_t *few_ns)
{
    uint64_t stays = sb_profile_rows(p, SB_T_slice) + sb_profile_rows(p, SB_T_gap);
    if (stays > MOST_EXACT)
        return false;
    changes v = {0};
    put_at_work(&v, p);
    put_ready(&v, p);
    if (v.n > 0) {
        struct sb_sort_key *tmp = sb_realloc_or_die(NULL, sb_mul_or_die(v.n, sizeof *tmp));
        sb_sort_radix(v.at, tmp, v.n);
        free(tmp);
    }
    *few_ns = sweep(&v, schedulers, span_ns);
    SB_VEC_FREE(&v);
    return true;
}
