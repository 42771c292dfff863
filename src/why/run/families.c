#include "why/run/families.h"
#include "base/order.h"

enum {
    FEWEST = 10 /* restarts */,
    SOON_NS = 200000000 /* a supervisor restarts at once; the machine may be busy */
};

SB_ORDER(by_family, struct sb_child, SB_UP(parent) ?: SB_UP(group) ?: SB_UP(start) ?: SB_UP(id))
SB_ORDER(by_parent, struct sb_crash, SB_UP(parent) ?: SB_UP(at) ?: SB_UP(id))

static bool
is_ordinary(struct sb_str reason)
{
    return reason.n == 0 || sb_str_eq(reason, SB_STR("normal")) ||
           sb_str_starts(reason, SB_STR("shutdown")) || sb_str_starts(reason, SB_STR("{shutdown"));
}

/* A process that computes one result may end with it as its reason, as the compiler does even with its errors, and as
 * calls of another node do. */
static bool
computes(struct sb_str entry)
{
    return sb_str_starts(entry, SB_STR("compile:")) || sb_str_starts(entry, SB_STR("erpc:execute_"));
}

static bool
is_result(struct sb_str reason)
{
    return sb_str_starts(reason, SB_STR("{ok")) || sb_str_starts(reason, SB_STR("ok"));
}

/* Of the first crash of a child of that process that was later than `at`, or of a later process. */
static size_t
first_crash(const struct sb_families *f, int64_t parent, int64_t at)
{
    size_t lo = 0, hi = f->crash.n;
    SB_SEARCH(lo, hi,
              f->crash.at[mid].parent < parent ||
                  (f->crash.at[mid].parent == parent && f->crash.at[mid].at <= at));
    return lo;
}

/* Each start takes the place of one crash, the earliest that is open. */
static struct sb_restarts
restarts_of(const struct sb_evidence *x, const struct sb_families *f, const struct sb_child *c, size_t n)
{
    int64_t parent = c->parent, entry = c->group;
    struct sb_restarts r = {.parent = parent, .entry = entry, .first = c->id};
    size_t next = 0;
    if (computes(sb_evidence_text(x, (int32_t)entry)))
        return r;
    for (size_t i = first_crash(f, parent, INT64_MIN); i < f->crash.n && f->crash.at[i].parent == parent;
         i++) {
        const struct sb_crash *k = &f->crash.at[i];
        if (k->entry != entry || is_result(k->reason))
            continue;
        while (next < n && c[next].start < k->at)
            next++;
        if (next == n || c[next].start - k->at > SOON_NS)
            continue;
        r.n++;
        r.lived_ns += k->start != SB_NULL ? k->at - k->start : 0;
        r.reason = k->reason;
        next++;
    }
    return r;
}

/* Children of processes with so many crashes, by entry: one that registers a name is a group of its own. */
static void
gather(const struct sb_evidence *x, const struct sb_families *f, struct sb_families *out)
{
    for (size_t i = 0, to; i < f->child.n; i = to) {
        int64_t parent = f->child.at[i].parent;
        size_t last = first_crash(f, parent, INT64_MIN) + FEWEST - 1;
        bool crashes = last < f->crash.n && f->crash.at[last].parent == parent;
        for (to = i; to < f->child.n && f->child.at[to].parent == parent; to++)
            if (crashes) {
                struct sb_child *c = SB_PUSH(&out->child);
                *c = f->child.at[to];
                c->group = x->actor[c->id].entry;
            }
    }
    SB_SORT(&out->child, by_family);
}

/* Of requests that are served by a process each some may crash while others start; most of these do not crash. */
static void
find_restarts(const struct sb_evidence *x, struct sb_families *f)
{
    struct sb_families alike = {0};
    gather(x, f, &alike);
    for (size_t i = 0, to; i < alike.child.n; i = to) {
        to = sb_family_end(&alike, i);
        struct sb_restarts r = {0};
        if (to - i > FEWEST)
            r = restarts_of(x, f, &alike.child.at[i], to - i);
        if (r.n >= FEWEST && 4 * r.n >= 3 * (int64_t)(to - i))
            *SB_PUSH(&f->restarts) = r;
    }
    sb_families_close(&alike);
}

void
sb_families_find(const struct sb_evidence *x, struct sb_families *f)
{
    int64_t *reasons = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *reasons, x->n_actors));
    sb_profile_read(x->profile, SB_T_process, SB_C_process__exit_reason, 0, (uint64_t)x->n_actors - 1,
                    reasons + 1);
    for (int64_t id = 1; id < x->n_actors; id++) {
        const struct sb_actor *a = &x->actor[id];
        if (a->parent > 0 && a->parent < x->n_actors && a->start != SB_NULL)
            *SB_PUSH(&f->child) = (struct sb_child){a->parent, a->group, a->start, a->end, id};
        if (a->parent <= 0 || a->end == SB_NULL)
            continue;
        struct sb_str reason = sb_profile_text(x->profile, reasons[id]);
        if (!is_ordinary(reason))
            *SB_PUSH(&f->crash) = (struct sb_crash){a->parent, a->entry, a->start, a->end, id, reason};
    }
    free(reasons);
    SB_SORT(&f->child, by_family);
    SB_SORT(&f->crash, by_parent);
    if (f->crash.n >= FEWEST)
        find_restarts(x, f);
}

void
sb_families_close(struct sb_families *f)
{
    SB_VEC_FREE(&f->child);
    SB_VEC_FREE(&f->crash);
    SB_VEC_FREE(&f->restarts);
}

size_t
sb_family_begin(const struct sb_families *f, int64_t parent, int64_t group)
{
    size_t lo = 0, hi = f->child.n;
    SB_SEARCH(lo, hi,
              f->child.at[mid].parent < parent ||
                  (f->child.at[mid].parent == parent && f->child.at[mid].group < group));
    return lo;
}

size_t
sb_family_end(const struct sb_families *f, size_t first)
{
    size_t to = first + 1;
    const struct sb_child *c = f->child.at;
    while (to < f->child.n && c[to].parent == c[first].parent && c[to].group == c[first].group)
        to++;
    return to;
}

bool
sb_families_crashed(const struct sb_families *f, int64_t parent, int64_t from, int64_t to)
{
    size_t i = first_crash(f, parent, from);
    return i < f->crash.n && f->crash.at[i].parent == parent && f->crash.at[i].at <= to;
}
