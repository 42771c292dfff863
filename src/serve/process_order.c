#include "serve/process_order.h"
#include "profile/who.h"
#include "profile/scan_row.h"
#include "answer/search.h"
#include "base/sort.h"
#include "base/vec.h"
#include "serve/within.h"
#include <pthread.h>

#define KEPT 6
#define FIND_CHARS 200

struct kept {
    struct sb_process_order_key key;
    char find[FIND_CHARS];
    uint32_t *row;
    uint64_t n, used;
};

struct sb_process_order {
    pthread_mutex_t lock;
    uint64_t clock;
    struct kept at[KEPT];
};

struct sb_process_order *
sb_process_order_open(void)
{
    struct sb_process_order *o = sb_zeroed_or_die(1, sizeof *o);
    pthread_mutex_init(&o->lock, NULL);
    return o;
}

void
sb_process_order_close(struct sb_process_order *o)
{
    for (size_t i = 0; i < KEPT; i++)
        free(o->at[i].row);
    pthread_mutex_destroy(&o->lock);
    free(o);
}

static bool
same(const struct sb_process_order_key *a, const struct sb_process_order_key *b)
{
    return a->column == b->column && a->over == b->over && a->down == b->down && a->group == b->group &&
           a->parent == b->parent && a->range.from == b->range.from && a->range.to == b->range.to &&
           a->within == b->within && sb_str_eq(a->find, b->find);
}

static bool
found(const struct sb_profile *p, const struct sb_search *search, int64_t *const *name, size_t i, int64_t id,
      struct sb_arena *a)
{
    struct sb_str text[5] = {[4] = sb_who(p, id)};
    for (unsigned c = 0; c < 4; c++)
        text[c] = name[c][i] == SB_NULL ? (struct sb_str){0} : sb_profile_text(p, name[c][i]);
    bool is = sb_search_matches(search, text, 5, a);
    sb_arena_reset(a);
    return is;
}

/* Converts a value to a key whose ascending order is the requested order. */
static uint64_t
sort_key(int64_t v, bool down)
{
    if (v == SB_NULL)
        return UINT64_MAX;
    uint64_t u = (uint64_t)v ^ UINT64_C(1) << 63;
    return down ? ~u - 1 : u;
}

/* Returns a mean in 1/256, so that nearly equal means keep their order. */
static int64_t
mean(int64_t sum, int64_t n)
{
    return sum == SB_NULL || n == SB_NULL || n <= 0 ? SB_NULL : (int64_t)((__int128)sum * 256 / n);
}

static int
by_text(const void *a, const void *b, void *ctx)
{
    const struct sb_sort_key *x = a, *y = b;
    const struct sb_profile *p = ctx;
    bool no_x = x->key == UINT64_MAX, no_y = y->key == UINT64_MAX;
    int c = no_x || no_y
                ? no_x - no_y
                : sb_str_cmp(sb_profile_text(p, (int64_t)x->key), sb_profile_text(p, (int64_t)y->key));
    return c ? c : (x->value > y->value) - (x->value < y->value);
}

typedef SB_VEC(struct sb_sort_key) keys;

static void
collect(const struct sb_profile *p, const struct sb_process_order_key *k, keys *out)
{
    struct sb_scan s;
    struct sb_search search;
    SB_ARENA(words);
    SB_ARENA(scratch);
    sb_search_read(&search, k->find, &words);
    bool text = sb_schema[SB_T_process].column[k->column].type == SB_TEXT;
    sb_scan_open(&s, p, SB_T_process);
    if (k->group != SB_NULL)
        sb_scan_where(&s, SB_C_process__group_id, k->group, k->group);
    if (k->parent != SB_NULL)
        sb_scan_where(&s, SB_C_process__parent, k->parent, k->parent);
    unsigned by = sb_scan_want(&s, k->column),
             name[4] = {sb_scan_want(&s, SB_C_process__name), sb_scan_want(&s, SB_C_process__label),
                        sb_scan_want(&s, SB_C_process__entry), sb_scan_want(&s, SB_C_process__pid)};
    unsigned id = sb_scan_want(&s, SB_C_process__id);
    struct sb_within *within = k->within && sb_within_has(k->column) ? sb_within_open(p, k->range) : NULL;
    unsigned over = k->over < 0 ? by : sb_scan_want(&s, (unsigned)k->over);
    unsigned start = sb_scan_want(&s, SB_C_process__start), end = sb_scan_want(&s, SB_C_process__end);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t *const names[4] = {s.value[name[0]], s.value[name[1]], s.value[name[2]], s.value[name[3]]};
        if (!sb_range_lives(k->range, s.value[start][i], s.value[end][i]) ||
            (search.n > 0 && !found(p, &search, names, i, s.value[id][i], &scratch)))
            continue;
        int64_t v = k->over < 0 ? s.value[by][i] : mean(s.value[by][i], s.value[over][i]);
        if (within)
            v = sb_within_value(within, s.value[id][i], k->column, v);
        uint64_t key = text ? (v == SB_NULL ? UINT64_MAX : (uint64_t)v) : sort_key(v, k->down);
        *SB_PUSH(out) = (struct sb_sort_key){key, s.row[i]};
    }
    sb_within_close(within);
}

static void
turn_texts(keys *v)
{
    size_t n = v->n;
    while (n > 0 && v->at[n - 1].key == UINT64_MAX)
        n--; /* NULLs are last */
    for (size_t i = 0; i < n / 2; i++) {
        struct sb_sort_key swap = v->at[i];
        v->at[i] = v->at[n - 1 - i];
        v->at[n - 1 - i] = swap;
    }
}

static void
sort(const struct sb_profile *p, const struct sb_process_order_key *k, keys *v)
{
    if (v->n == 0)
        return;
    if (sb_schema[SB_T_process].column[k->column].type == SB_TEXT) {
        qsort_r(v->at, v->n, sizeof *v->at, by_text, (void *)(uintptr_t)p);
        if (k->down)
            turn_texts(v);
        return;
    }
    struct sb_sort_key *tmp = sb_realloc_or_die(NULL, sb_mul_or_die(v->n, sizeof *tmp));
    sb_sort_radix(v->at, tmp, v->n);
    free(tmp);
}

static void
make(struct kept *to, const struct sb_profile *p, const struct sb_process_order_key *k)
{
    keys v = {0};
    size_t n = k->find.n < FIND_CHARS ? k->find.n : FIND_CHARS;
    to->key = *k;
    if (n > 0)
        memcpy(to->find, k->find.p, n);
    to->key.find = (struct sb_str){to->find, n};
    collect(p, &to->key, &v);
    sort(p, k, &v);
    to->n = v.n;
    to->row = sb_realloc_or_die(to->row, sb_mul_or_die(v.n + 1, sizeof *to->row));
    for (size_t i = 0; i < v.n; i++)
        to->row[i] = (uint32_t)v.at[i].value;
    SB_VEC_FREE(&v);
    to->key.find = (struct sb_str){to->find, n};
}

static struct kept *
find(struct sb_process_order *o, const struct sb_profile *p, const struct sb_process_order_key *k)
{
    struct kept *oldest = &o->at[0];
    for (size_t i = 0; i < KEPT; i++) {
        if (o->at[i].row && same(&o->at[i].key, k))
            return &o->at[i];
        if (o->at[i].used < oldest->used)
            oldest = &o->at[i];
    }
    make(oldest, p, k);
    return oldest;
}

uint64_t
sb_process_order_rows(struct sb_process_order *o, const struct sb_profile *p,
                      const struct sb_process_order_key *k, uint64_t from, size_t *n, uint64_t *row)
{
    pthread_mutex_lock(&o->lock);
    struct kept *at = find(o, p, k);
    at->used = ++o->clock;
    uint64_t total = at->n;
    *n = from >= total ? 0 : *n < total - from ? *n : (size_t)(total - from);
    for (size_t i = 0; i < *n; i++)
        row[i] = at->row[from + i];
    pthread_mutex_unlock(&o->lock);
    return total;
}
