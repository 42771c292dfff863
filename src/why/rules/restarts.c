#include "why/run/crashes.h"
#include "base/order.h"
#include "why/find/finding.h"

SB_RULE(restarts) = {
    .name = "restarts",
    .looks_for = "a process that crashes again and again and is started again each time",
    .erlang = "cure the cause of the exit; if it lies outside, such as a peer that cannot be reached, let "
              "the process live and try again after a pause that grows, instead of crashing",
    .elixir =
        "cure the cause of the exit; if it lies outside, such as a peer that cannot be reached, let the "
        "process live and try again after a pause that grows (Process.send_after), instead of crashing",
    .of_run = true,
    .find = find,
};

enum { FEWEST = 10, SOON_NS = 200000000 /* a supervisor restarts at once; the machine may be busy */ };

/* Children of one parent with one entry: those of `first` to `first + n` in order of their starts. */
struct child {
    int64_t parent, entry, start, id;
};
typedef SB_VEC(struct child) children;

struct loop {
    int64_t restarts, lived_ns, last; /* pairs of a crash and a start; lives; process.id of the last crash */
    struct sb_str reason;             /* of that crash */
};

SB_ORDER(by_family, struct child, SB_UP(parent) ?: SB_UP(entry) ?: SB_UP(start) ?: SB_UP(id))

static void
read_children(const struct sb_why *w, children *v)
{
    for (int64_t id = 1; id < w->x.n_actors; id++) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->parent > 0 && a->parent < w->x.n_actors && a->start != SB_NULL)
            *SB_PUSH(v) = (struct child){a->parent, a->entry, a->start, id};
    }
    SB_SORT(v, by_family);
}

/* A process that computes one result may end with it as its reason, as the compiler does even with its errors, and as
 * calls of another node do. */
static bool
is_result(struct sb_str entry, struct sb_str reason)
{
    return sb_str_starts(entry, SB_STR("compile:")) || sb_str_starts(entry, SB_STR("erpc:execute_")) ||
           sb_str_starts(reason, SB_STR("{ok")) || sb_str_starts(reason, SB_STR("ok"));
}

/* Each start takes the place of one crash, the earliest that is open. */
static struct loop
loop_of(const struct sb_evidence *x, const sb_crashes *crashes, const struct child *c, size_t n)
{
    struct loop l = {0};
    size_t next = 0;
    for (size_t i = 0; i < crashes->n; i++) {
        const struct sb_crash *k = &crashes->at[i];
        if (k->parent != c->parent || k->entry != c->entry ||
            is_result(sb_evidence_text(x, (int32_t)k->entry), k->reason))
            continue;
        while (next < n && c[next].start < k->at)
            next++;
        if (next == n || c[next].start - k->at > SOON_NS)
            continue;
        l.restarts++;
        l.lived_ns += k->start != SB_NULL ? k->at - k->start : 0;
        l.last = k->id;
        l.reason = k->reason;
        next++;
    }
    return l;
}

static void
put(struct sb_why *w, const struct child *c, const struct loop *l)
{
    struct sb_str reason = l->reason;
    reason.n = reason.n > 60 ? 60 : reason.n;
    while (reason.n > 0 && reason.n < l->reason.n && strchr(",.", reason.p[reason.n - 1]))
        reason.n--; /* the recorder writes ... itself */
    struct sb_finding f = {
        .process = c->parent,
        .with = c->id,
        .gain = {SB_NULL, SB_NULL, SB_NULL},
        .confidence = "high",
        .evidence = "SELECT who(id), start, end, exit_reason FROM process WHERE parent = {process} ORDER BY "
                    "start LIMIT 20",
    };
    sb_why_put(w, f,
               "%s started %s again %s times after a crash, such as %.*s%s; each had lived %s on average",
               sb_why_who(w, c->parent), sb_why_text(w, (int32_t)c->entry),
               sb_words_count(w->arena, l->restarts), SB_STR_ARG(reason), reason.n < l->reason.n ? "..." : "",
               sb_words_ns(w->arena, l->lived_ns / l->restarts));
}

/* Of requests that are served by a process each some may crash while others start; most of these do not crash. */
static void
find(struct sb_why *w)
{
    SB_SCOPED sb_crashes crashes = {0};
    SB_SCOPED children v = {0};
    sb_crashes_find(&w->x, &crashes);
    if (crashes.n >= FEWEST)
        read_children(w, &v);
    for (size_t i = 0, to; i < v.n; i = to) {
        for (to = i + 1; to < v.n && v.at[to].parent == v.at[i].parent && v.at[to].entry == v.at[i].entry;)
            to++;
        if (to - i <= FEWEST)
            continue;
        struct loop l = loop_of(&w->x, &crashes, &v.at[i], to - i);
        if (l.restarts >= FEWEST && 4 * l.restarts >= 3 * (int64_t)(to - i))
            put(w, &v.at[i], &l);
    }
}
