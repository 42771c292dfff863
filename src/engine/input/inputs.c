#include "engine/input/inputs.h"
#include "engine/merge/profile_source.h"
#include "engine/world/lanes.h"
#include "trace/kind.h"

struct sb_translation { /* maps one trace's dictionary to the run's */
    uint32_t *name;     /* by name id; 0: not looked up yet */
    size_t n;
    uint16_t node[SB_ACTOR_NODES]; /* by node index: 1 + index in the run's names; 0: not looked up yet */
};

/* ---- nodes ---- */

enum { LONGEST_NAME = 1024 }; /* 255 characters of up to four bytes */

static unsigned
find_node(const struct sb_run *r, struct sb_str name, uint32_t creation)
{
    for (unsigned i = 0; i < sb_names_nodes(r->names); i++) {
        uint32_t known;
        if (sb_str_eq(sb_names_node_name(r->names, i, &known), name) &&
            (known == creation || known == 0 || creation == 0))
            return i;
    }
    return sb_names_node(r->names, sb_names_atom(r->names, name), creation);
}

/* Whether a node was started again under its name, where its creation does not tell. */
static bool
is_another_run(const struct sb_source_info *a, const struct sb_source_info *b)
{
    return a->node_name.n > 0 && sb_str_eq(a->node_name, b->node_name) && (!a->creation || !b->creation) &&
           a->os_pid && b->os_pid && a->os_pid != b->os_pid;
}

/* A trace without a node name is a separate node, and so is a further run of one: "shop@host (4711)". */
static unsigned
traced_node(const struct sb_run *r, size_t input)
{
    const struct sb_source_info *info = sb_source_info(r->inputs.at[input].source);
    char name[LONGEST_NAME + 16];
    int n = 0;
    if (info->node_name.n == 0 && !r->merges)
        n = snprintf(name, sizeof name, "trace%zu", input + 1);
    for (size_t i = 0; i < input && n == 0 && info->node_name.n < LONGEST_NAME; i++)
        if (is_another_run(sb_source_info(r->inputs.at[i].source), info))
            n = snprintf(name, sizeof name, "%.*s (%u)", SB_STR_ARG(info->node_name), info->os_pid);
    return n > 0 ? find_node(r, (struct sb_str){name, (size_t)n}, 0)
                 : find_node(r, info->node_name, info->creation);
}

static unsigned
node_in_run(const struct sb_run *r, const struct sb_input *in, struct sb_translation *t, unsigned node)
{
    if (node == 0)
        return in->node;
    if (t->node[node] == 0) {
        uint32_t creation;
        struct sb_str name = sb_names_node_name(in->names, node, &creation);
        t->node[node] = (uint16_t)(1 + find_node(r, name, creation));
    }
    return t->node[node] - 1u;
}

/* ---- translating ---- */

static uint32_t
copy_name(const struct sb_run *r, const struct sb_names *from, uint32_t id)
{
    struct sb_mfa mfa;
    switch (sb_names_kind(from, id)) {
    case SB_NAME_ATOM:
        return sb_names_atom(r->names, sb_names_str(from, id));
    case SB_NAME_TEXT:
        return sb_names_text(r->names, sb_names_str(from, id));
    case SB_NAME_MFA:
        mfa = sb_names_mfa_of(from, id);
        mfa.m = sb_names_atom(r->names, sb_names_str(from, mfa.m));
        mfa.f = sb_names_atom(r->names, sb_names_str(from, mfa.f));
        return sb_names_mfa(r->names, mfa);
    default:
        return 0;
    }
}

static uint32_t
name_in_run(const struct sb_run *r, const struct sb_input *in, struct sb_translation *t, uint32_t id)
{
    if (id == 0 || id == SB_UNKNOWN32)
        return id;
    if (id >= t->n) {
        size_t n = (size_t)id * 2 + 64;
        t->name = sb_realloc_or_die(t->name, n * sizeof *t->name);
        memset(t->name + t->n, 0, (n - t->n) * sizeof *t->name);
        t->n = n;
    }
    if (t->name[id] == 0)
        t->name[id] = copy_name(r, in->names, id);
    return t->name[id];
}

static sb_actor
actor_in_run(const struct sb_run *r, const struct sb_input *in, struct sb_translation *t, sb_actor a)
{
    if (a == 0)
        return sb_actor_make(SB_NAMED, in->node, 0, 0);
    unsigned node = sb_actor_node(a);
    uint64_t serial, number;
    switch (sb_actor_kind(a)) {
    case SB_NAMED:
        node = node_in_run(r, in, t, node);
        return sb_actor_make(SB_NAMED, node, 0, 0) | name_in_run(r, in, t, (uint32_t)a);
    case SB_ODD:
        sb_names_odd_parts(in->names, a, &node, &serial, &number);
        return sb_names_pid(r->names, sb_names_odd_is_port(in->names, a) ? SB_PORT : SB_PID,
                            node_in_run(r, in, t, node), serial, number);
    default:
        return sb_actor_make(sb_actor_kind(a), node_in_run(r, in, t, node), sb_actor_serial(a),
                             sb_actor_number(a));
    }
}

static void
translate(const struct sb_run *r, const struct sb_input *in, struct sb_translation *t, struct sb_event *ev)
{
    const struct sb_kind *k = &sb_kinds[ev->kind];
    ev->who = actor_in_run(r, in, t, ev->who);
    if (ev->at_ns != SB_AT_UNKNOWN)
        ev->at_ns += in->offset_ns;
    for (unsigned i = 0; i < k->n_slots; i++)
        switch (k->slot[i].type) {
        case SB_SLOT_PID:
            ev->peer = ev->peer ? actor_in_run(r, in, t, ev->peer) : 0;
            break;
        case SB_SLOT_MFA:
        case SB_SLOT_ATOM:
        case SB_SLOT_TEXT:
            sb_slot_set(&k->slot[i], ev, name_in_run(r, in, t, (uint32_t)sb_slot_get(&k->slot[i], ev)));
            break;
        default:
            break;
        }
}

void
sb_inputs_decode(const struct sb_run *r, uint32_t input, const struct sb_block *b, unsigned worker,
                 struct sb_events *out)
{
    const struct sb_input *in = &r->inputs.at[input];
    size_t had = out->n;
    sb_source_decode(in->source, b, out);
    if (r->inputs.n > 1)
        for (size_t i = had; i < out->n; i++)
            translate(r, in, &in->translation[worker], &out->at[i]);
}

sb_actor
sb_inputs_actor(const struct sb_run *r, uint32_t input, sb_actor a)
{
    const struct sb_input *in = &r->inputs.at[input];
    return r->inputs.n > 1 ? actor_in_run(r, in, &in->translation[0], a) : a;
}

uint32_t
sb_inputs_name(const struct sb_run *r, uint32_t input, uint32_t name)
{
    bool other = name != 0 && r->inputs.n > 1 && r->inputs.at[input].names != r->names;
    return other ? copy_name(r, r->inputs.at[input].names, name) : name;
}

/* ---- opening ---- */

static bool
open_one(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e)
{
    struct sb_source_options so = {
        .wrap_count = r->o->wrap_count, .keep_text = true, .known_only = true, .grows = r->grows};
    struct sb_input in = {.error_ns = SB_NULL, .first = INT64_MAX, .last = INT64_MIN};
    SB_TRY(sb_source_open(&in.source, paths, n, &so, e));
    in.names = sb_source_names(in.source);
    *SB_PUSH(&r->inputs) = in;
    return true;
}

static bool
same_trace(const struct sb_source_info *a, const struct sb_source_info *b)
{
    return strcmp(a->format, "sbt") != 0 && strcmp(a->format, b->format) == 0 &&
           sb_str_eq(a->node_name, b->node_name) && a->creation == b->creation && !is_another_run(a, b);
}

/* Opens each path to learn its node, then opens the files of each node as one trace. */
static bool
open_grouped(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e)
{
    struct sb_run each = {.o = r->o};
    const char **mine = sb_realloc_or_die(NULL, n * sizeof *mine);
    bool *done = calloc(n, sizeof *done), ok = done != NULL;
    for (size_t i = 0; ok && i < n; i++)
        ok = open_one(&each, &paths[i], 1, e);
    for (size_t i = 0; ok && i < n; i++) {
        size_t some = 0;
        for (size_t k = i; k < n && !done[i]; k++)
            if (k == i || (!done[k] && same_trace(sb_source_info(each.inputs.at[i].source),
                                                  sb_source_info(each.inputs.at[k].source)))) {
                mine[some++] = paths[k];
                done[k] = k != i;
            }
        if (some > 0)
            ok = open_one(r, mine, some, e);
    }
    for (size_t i = 0; i < each.inputs.n; i++)
        sb_source_close(each.inputs.at[i].source);
    SB_VEC_FREE(&each.inputs);
    free(mine);
    free(done);
    return ok;
}

/* Each traced node of a profile takes memory for all of its processes and texts. */
enum { MOST_TRACED = 512 };

/* Opens every traced node of every profile. Refuses a damaged profile, which would spoil the result. */
static bool
open_profiles(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e)
{
    for (size_t i = 0; i < n; i++)
        for (unsigned nth = 0;; nth++) {
            struct sb_input in = {.error_ns = SB_NULL, .first = INT64_MAX, .last = INT64_MIN};
            SB_TRY(sb_profile_source_open(&in.source, paths[i], nth, e));
            if (!in.source)
                break;
            if (nth == MOST_TRACED) {
                sb_source_close(in.source);
                return sb_err_set(e, SB_ERR_LIMIT, "%s holds more than %d traced nodes", paths[i],
                                  MOST_TRACED);
            }
            in.names = sb_source_names(in.source);
            *SB_PUSH(&r->inputs) = in;
            SB_TRY(nth > 0 || sb_profile_check(sb_profile_source_profile(in.source), e));
        }
    return r->inputs.n > 0 || sb_err_set(e, SB_ERR_INPUT, "%s holds no traced node", paths[0]);
}

static int
by_content(const struct sb_source *a, const struct sb_source *b)
{
    uint64_t x = sb_profile_hash(sb_profile_source_profile(a)),
             y = sb_profile_hash(sb_profile_source_profile(b));
    return (x > y) - (x < y);
}

static int
by_node(const void *a, const void *b)
{
    const struct sb_source_info *x = sb_source_info(((const struct sb_input *)a)->source);
    const struct sb_source_info *y = sb_source_info(((const struct sb_input *)b)->source);
    int c = sb_str_cmp(x->node_name, y->node_name);
    c = c ? c : (x->creation > y->creation) - (x->creation < y->creation);
    return c ? c : (x->os_pid > y->os_pid) - (x->os_pid < y->os_pid);
}

/* Profiles of one node are ordered by their content. */
static int
by_node_and_content(const void *a, const void *b)
{
    int c = by_node(a, b);
    return c ? c : by_content(((const struct sb_input *)a)->source, ((const struct sb_input *)b)->source);
}

bool
sb_inputs_open(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e)
{
    SB_TRY(r->merges ? open_profiles(r, paths, n, e)
           : n == 1  ? open_one(r, paths, 1, e)
                     : open_grouped(r, paths, n, e));
    qsort(r->inputs.at, r->inputs.n, sizeof *r->inputs.at, r->merges ? by_node_and_content : by_node);
    r->names = r->inputs.at[0].names;
    for (size_t i = 0; i < r->inputs.n; i++) {
        struct sb_input *in = &r->inputs.at[i];
        in->node = i == 0 ? 0 : traced_node(r, i);
        if (r->ids.node[in->node] == 0)
            r->ids.node[in->node] = (uint16_t)++r->ids.nodes;
        const struct sb_source_info *info = sb_source_info(in->source);
        sb_lanes_known(r, in->node, info);
        in->translation = sb_zeroed_or_die(r->services.workers, sizeof *in->translation);
    }
    return true;
}

/* Refuses to combine CPU time, or no time, with wall time. */
static bool
on_one_axis(const struct sb_run *r, struct sb_err *e)
{
    const struct sb_source_info *a = sb_source_info(r->inputs.at[0].source);
    for (size_t i = 1; i < r->inputs.n; i++) {
        const struct sb_source_info *b = sb_source_info(r->inputs.at[i].source);
        if (a->cpu_time == b->cpu_time && a->untimed == b->untimed)
            continue;
        sb_err_set(e, SB_ERR_INPUT, "some of these traces have wall-clock time stamps and others do not");
        return sb_err_advise(e, "analyse the traces of %.*s and %.*s separately", SB_STR_ARG(a->node_name),
                             SB_STR_ARG(b->node_name));
    }
    return true;
}

bool
sb_inputs_plan(struct sb_run *r, struct sb_err *e)
{
    struct sb_planned p = {0};
    for (; p.input < r->inputs.n; p.input++) {
        if (r->services.pool)
            sb_source_scan(r->inputs.at[p.input].source, r->services.pool);
        while (sb_source_next(r->inputs.at[p.input].source, &p.b, e))
            *SB_PUSH(&r->plan) = p;
        if (e->code != SB_OK)
            return false;
    }
    return on_one_axis(r, e);
}

void
sb_inputs_quiet(const struct sb_run *r, bool quiet)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        sb_source_quiet(r->inputs.at[i].source, quiet);
}

void
sb_inputs_close(struct sb_run *r)
{
    SB_VEC_FREE(&r->plan);
    for (size_t i = 0; i < r->inputs.n; i++) {
        for (unsigned w = 0; r->inputs.at[i].translation && w < r->services.workers; w++)
            free(r->inputs.at[i].translation[w].name);
        free(r->inputs.at[i].translation);
        sb_source_close(r->inputs.at[i].source);
    }
    SB_VEC_FREE(&r->inputs);
}

static int
by_name(const void *a, const void *b, void *names)
{
    uint32_t ca, cb;
    struct sb_str x = sb_names_node_name(names, *(const uint16_t *)a, &ca);
    struct sb_str y = sb_names_node_name(names, *(const uint16_t *)b, &cb);
    int c = sb_str_cmp(x, y);
    return c ? c : (ca > cb) - (ca < cb);
}

/* Whether the node may be one that has a number: a name that was sent to has no creation, nor may a trace
 * know that of its own node. */
static bool
is_known(const struct sb_run *r, unsigned node)
{
    uint32_t creation, other;
    struct sb_str name = sb_names_node_name(r->names, node, &creation);
    for (unsigned i = 0; i < sb_names_nodes(r->names); i++)
        if (i != node && sb_str_eq(sb_names_node_name(r->names, i, &other), name) &&
            (creation == 0 || (other == 0 && r->ids.node[i] != 0)))
            return true;
    return false;
}

void
sb_inputs_number_nodes(struct sb_run *r)
{
    uint16_t other[SB_ACTOR_NODES];
    size_t n = 0;
    for (unsigned i = 0; i < sb_names_nodes(r->names) && i < SB_ACTOR_NODES; i++)
        if (r->ids.node[i] == 0 && !is_known(r, i))
            other[n++] = (uint16_t)i;
    if (n > 0)
        qsort_r(other, n, sizeof *other, by_name, r->names);
    for (size_t i = 0; i < n; i++)
        r->ids.node[other[i]] = (uint16_t)++r->ids.nodes;
}

uint32_t
sb_inputs_node_by_name(const struct sb_run *r, unsigned node)
{
    uint32_t id = r->ids.node[node], creation;
    struct sb_str name = sb_names_node_name(r->names, node, &creation);
    for (unsigned i = 0; r->ids.node[node] == 0 && i < sb_names_nodes(r->names); i++) {
        if (r->ids.node[i] == 0 || !sb_str_eq(sb_names_node_name(r->names, i, &creation), name))
            continue;
        if (id)
            return 0;
        id = r->ids.node[i];
    }
    return id;
}
