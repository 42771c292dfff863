/*
 * A total order for events with equal stamps, independent of the order of reading: by process, role, kind and
 * payload. Names are compared by their text, since their ids differ between runs.
 */
#include "engine/world/compare.h"
#include "engine/world/actors.h"

enum { FEW = 8 };

#define CMP(a, b) (((a) > (b)) - ((a) < (b)))

/* Returns the rank of a kind among events with equal stamps, in order of cause and effect. */
static unsigned
rank(const struct sb_event *ev)
{
    enum { OF_ROW = UINT16_MAX };
#define FIRST(n) (n)
#define MIDDLE OF_ROW
#define LAST(n) (1000 + (n))
#define SLOT(...)
#define EVENT(id, tag, class, group, rank, ...) [SB_EV_##id] = rank,
    static const uint16_t ranks[SB_EVENT_KINDS] = {
#include "trace/event.def"
    };
#undef EVENT
#undef SLOT
    return ranks[ev->kind] == OF_ROW ? 4u + ev->kind : ranks[ev->kind];
}

static int
cmp_names(const struct sb_names *names, uint32_t a, uint32_t b)
{
    if (a == b)
        return 0;
    enum sb_name_kind ka = sb_names_kind(names, a), kb = sb_names_kind(names, b);
    if (ka != kb)
        return CMP(ka, kb);
    if (ka != SB_NAME_MFA)
        return sb_str_cmp(sb_names_str(names, a), sb_names_str(names, b));
    struct sb_mfa x = sb_names_mfa_of(names, a), y = sb_names_mfa_of(names, b);
    int c = cmp_names(names, x.m, y.m);
    c = c ? c : cmp_names(names, x.f, y.f);
    return c ? c : CMP(x.arity, y.arity);
}

static int
cmp_payload(const struct sb_names *names, const struct sb_event *a, const struct sb_event *b)
{
    int c = CMP(a->lane, b->lane);
    c = c ? c : sb_actors_cmp(names, a->raw.peer, b->raw.peer);
    c = c ? c : CMP(a->raw.x, b->raw.x);
    c = c ? c : CMP(a->raw.y, b->raw.y);
    c = c ? c : CMP(a->raw.z, b->raw.z);
    c = c ? c : CMP(a->raw.n, b->raw.n);
    c = c ? c : CMP(a->flags & ~SB_EVF_GOES_ON, b->flags & ~SB_EVF_GOES_ON);
    c = c ? c : cmp_names(names, a->raw.f, b->raw.f);
    return c ? c : cmp_names(names, a->raw.g, b->raw.g);
}

static int
cmp_items(const struct sb_names *names, struct sb_sort_key x, struct sb_sort_key y)
{
    const struct sb_event *a = sb_item_event(x), *b = sb_item_event(y);
    int c = CMP(sb_item_actor(x), sb_item_actor(y));
    c = c ? c : CMP(rank(a), rank(b));
    c = c ? c : CMP(a->kind, b->kind);
    c = c ? c : CMP(sb_item_role(x), sb_item_role(y));
    c = c || a == b ? c : sb_actors_cmp(names, a->who, b->who);
    return c || a == b ? c : cmp_payload(names, a, b);
}

static int
cmp(const void *x, const void *y, void *names)
{
    return cmp_items(names, *(const struct sb_sort_key *)x, *(const struct sb_sort_key *)y);
}

/* An insertion sort: few events share a stamp. */
static void
sort_few(const struct sb_names *names, struct sb_sort_key *at, size_t n)
{
    for (size_t i = 1, k; i < n; i++) {
        struct sb_sort_key now = at[i];
        for (k = i; k > 0 && cmp_items(names, at[k - 1], now) > 0; k--)
            at[k] = at[k - 1];
        at[k] = now;
    }
}

static void
sort_moment(const struct sb_names *names, struct sb_sort_key *at, size_t n)
{
    if (n <= FEW)
        sort_few(names, at, n);
    else
        qsort_r(at, n, sizeof *at, cmp, (void *)(uintptr_t)names);
}

void
sb_compare_ties(const struct sb_names *names, struct sb_items *v)
{
    for (size_t i = 0, j; i < v->n; i = j) {
        for (j = i + 1; j < v->n && v->at[j].key == v->at[i].key;)
            j++;
        if (j - i > 1)
            sort_moment(names, v->at + i, j - i);
    }
}

void
sb_compare_sort(const struct sb_names *names, struct sb_items *v)
{
    SB_SCOPED struct sb_items scratch = {0};
    if (v->n == 0)
        return;
    SB_RESERVE(&scratch, v->n);
    sb_sort_radix(v->at, scratch.at, v->n);
    sb_compare_ties(names, v);
}
