#include "why/run/evidence.h"
#include "base/map.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include "profile/capacity.h"
#include "why/run/evidence_impl.h"
#include <math.h>
#include <pthread.h>

/* ---- processes ---- */

static const struct {
    const char *name, *entry; /* a name that it starts with, or a part of its entry */
    enum sb_service service;
} services[] = {
    {"code_server", NULL, SB_SERVICE_CODE},
    {"erl_prim_loader", NULL, SB_SERVICE_LOADER},
    {"elixir_code_server", NULL, SB_SERVICE_CODE},
    {NULL, "handle_on_load/", SB_SERVICE_LOADER},
    {NULL, "file_io_server", SB_SERVICE_FILE},
    {"file_server_2", NULL, SB_SERVICE_FILE},
    {"user", NULL, SB_SERVICE_OUTPUT},
    {"standard_error", NULL, SB_SERVICE_OUTPUT},
    {NULL, "group:", SB_SERVICE_OUTPUT},
    {NULL, "user_drv:", SB_SERVICE_OUTPUT},
    {"logger", NULL, SB_SERVICE_LOG},
    {"timer_server", NULL, SB_SERVICE_TIMER},
    {"'Elixir.Logger", NULL, SB_SERVICE_LOG},
    {"Elixir.Logger", NULL, SB_SERVICE_LOG},
};

static enum sb_service
service_of(struct sb_str name, struct sb_str entry)
{
    for (size_t i = 0; i < sizeof services / sizeof *services; i++) {
        struct sb_str n = sb_str_of(services[i].name ? services[i].name : "");
        bool exact = n.n > 0 && services[i].service == SB_SERVICE_OUTPUT;
        if (n.n > 0 && (exact ? sb_str_eq(name, n) : sb_str_starts(name, n)))
            return services[i].service;
        if (services[i].entry && sb_str_has(entry, sb_str_of(services[i].entry)))
            return services[i].service;
    }
    return SB_SERVICE_NONE;
}

/* When the trace of each node begins, by node.id. */
static int64_t *
read_starts(const struct sb_evidence *x)
{
    uint64_t n = sb_profile_rows(x->profile, SB_T_node);
    int64_t *at = SB_NEW_N(x->arena, int64_t, n + 1);
    sb_profile_read(x->profile, SB_T_node, SB_C_node__trace_start, 0, n, at + 1);
    for (uint64_t i = 1; i <= n; i++)
        at[i] = at[i] == SB_NULL ? 0 : at[i];
    return at;
}

/* A process with a registered name has a group of its own: like it are those of its parent group and entry. Behind an
 * entry of OTP may be anything, such as agents that hold different things. Returns the first group, by group. */
static int64_t *
read_likes(const struct sb_evidence *x)
{
    SB_SCAN(s, x->profile, process_group, parent_group, entry);
    struct sb_map first = {0};
    int64_t *like = SB_NEW_N(x->arena, int64_t, sb_profile_rows(x->profile, SB_T_process_group) + 1), n = 0;
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t of = s.value[parent_group][i], with = s.value[entry][i];
        bool is_new;
        n++;
        like[n] = n;
        if (of < 1 || with < 1 || sb_is_otp(sb_profile_text(x->profile, with)))
            continue;
        uint32_t *kept = sb_map_put(&first, (uint64_t)of << 32 ^ (uint64_t)with, &is_new);
        *kept = is_new ? (uint32_t)n : *kept;
        like[n] = *kept;
    }
    sb_map_close(&first);
    return like;
}

static void
read_actors(struct sb_evidence *x, const struct sb_program *part)
{
    const int64_t *likes = read_likes(x), groups = (int64_t)sb_profile_rows(x->profile, SB_T_process_group);
    static const unsigned column[] = {SB_C_process__id,       SB_C_process__parent, SB_C_process__group_id,
                                      SB_C_process__entry,    SB_C_process__start,  SB_C_process__end,
                                      SB_C_process__name,     SB_C_process__sends,  SB_C_process__receives,
                                      SB_C_process__timeouts, SB_C_process__node,   SB_C_process__run_ns,
                                      SB_C_process__dirty_ns};
    enum { ID, PARENT, GROUP, ENTRY, START, END, NAME, SENDS, RECEIVES, TIMEOUTS, NODE, RUN, DIRTY, COLUMNS };
    const int64_t *starts = read_starts(x);
    struct sb_scan s;
    sb_scan_open_columns(&s, x->profile, SB_T_process, column, COLUMNS);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t id = s.value[ID][i];
        if (id < 1 || id >= x->n_actors)
            continue;
        struct sb_str name = sb_profile_text(x->profile, s.value[NAME][i]);
        int64_t entry = s.value[ENTRY][i], group = s.value[GROUP][i];
        x->actor[id] = (struct sb_actor){
            .parent = s.value[PARENT][i],
            .group = group,
            .like = group >= 1 && group <= groups ? likes[group] : 0,
            .entry = entry,
            .start = s.value[START][i],
            .end = s.value[END][i],
            .watched_ns = starts[s.value[NODE][i] > 0 ? s.value[NODE][i] : 0],
            .sends = s.value[SENDS][i],
            .receives = s.value[RECEIVES][i],
            .timeouts = s.value[TIMEOUTS][i],
            .whole_ns =
                (s.value[RUN][i] > 0 ? s.value[RUN][i] : 0) + (s.value[DIRTY][i] > 0 ? s.value[DIRTY][i] : 0),
            .is_program = part->has[id],
            .service = service_of(name, sb_profile_text(x->profile, entry)),
        };
    }
}

struct sb_str
sb_evidence_text(const struct sb_evidence *x, int32_t text)
{
    return text > 0 ? sb_profile_text(x->profile, text) : SB_STR("");
}

bool
sb_evidence_open(const struct sb_profile *p, struct sb_range part, struct sb_arena *a, struct sb_evidence *x)
{
    struct sb_capacity c;
    *x = (struct sb_evidence){
        .profile = p, .arena = a, .t0 = part.from, .t1 = part.to, .span_ns = part.to - part.from};
    if (sb_profile_rows(p, SB_T_slice) == 0)
        return false;
    sb_capacity_find(p, &c);
    x->schedulers = c.able;
    if (x->schedulers < 1)
        return false;
    x->n_actors = sb_profile_rows(p, SB_T_process) + 1;
    x->actor = sb_pages_new_original(sb_mul_or_die(x->n_actors + 1, sizeof *x->actor));
    x->turn = sb_zeroed_or_die(x->n_actors, sizeof *x->turn);
    read_actors(x, sb_program_of(p));
    return true;
}

static void
find_present(struct sb_evidence *x)
{
    bool *woke = sb_zeroed_or_die(x->n_actors, sizeof *woke);
    x->present = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *x->present, x->n_actors));
    size_t n = 0;
    for (size_t i = 0; i < x->n_steps; i++)
        woke[x->step[i].waker] = true;
    for (int64_t id = 1; id < x->n_actors; id++) {
        const struct sb_actor *a = &x->actor[id];
        bool lived = (a->start == SB_NULL || a->start < x->t1) && (a->end == SB_NULL || a->end >= x->t0);
        if (lived || !x->is_cut || a->n > 0 || woke[id] || x->inbox[id] < x->inbox[id + 1] ||
            x->outbox[id] < x->outbox[id + 1])
            x->present[n++] = (int32_t)id;
    }
    x->present[n] = 0;
    free(woke);
}

/* What is known as sums of the whole run. How often a receive took no message is in no table: it is as often as the
 * process worked. */
static void
count_in_piece(struct sb_evidence *x)
{
    SB_EACH_PRESENT (x, id) {
        struct sb_actor *a = &x->actor[id];
        a->sends = a->sends == SB_NULL ? SB_NULL : x->outbox[id + 1] - x->outbox[id];
        a->receives = a->receives == SB_NULL ? SB_NULL : x->inbox[id + 1] - x->inbox[id];
        if (a->timeouts > 0 && a->whole_ns > a->work_ns)
            a->timeouts = (int64_t)ceil((double)a->timeouts * (double)a->work_ns / (double)a->whole_ns);
    }
}

static void
open_piece(struct sb_evidence *x, const struct sb_evidence *run, struct sb_range piece, struct sb_arena *a)
{
    *x = (struct sb_evidence){.profile = run->profile,
                              .arena = a,
                              .t0 = piece.from,
                              .t1 = piece.to,
                              .span_ns = piece.to - piece.from,
                              .is_cut = true,
                              .schedulers = run->schedulers,
                              .n_actors = run->n_actors};
    x->actor = sb_pages_copy(run->actor);
    x->turn = sb_zeroed_or_die(x->n_actors, sizeof *x->turn);
}

static void *
read_level(void *evidence)
{
    struct sb_evidence *x = evidence;
    sb_level_read(x->profile, x->t0, x->t1, x->schedulers, &x->level);
    return NULL;
}

bool
sb_evidence_find(const struct sb_profile *p, const struct sb_pieces *pieces, size_t piece,
                 const struct sb_evidence *run, struct sb_arena *a, struct sb_evidence *x)
{
    struct sb_history h;
    pthread_t level;
    if (run)
        open_piece(x, run, pieces->at[piece], a);
    else if (!sb_evidence_open(p, pieces->at[piece], a, x))
        return false;
    bool ahead = !x->is_cut && pthread_create(&level, NULL, read_level, x) == 0; /* pieces are on all cores */
    sb_history_read(&h, p, x->t0, x->t1, x->is_cut);
    sb_evidence_messages_read(x, &h, pieces);
    sb_evidence_steps_read(x, &h);
    find_present(x);
    if (ahead)
        pthread_join(level, NULL);
    else
        read_level(x);
    sb_evidence_sum_work(x);
    sb_history_close(&h);
    sb_evidence_gc_add(x);
    if (x->is_cut)
        count_in_piece(x);
    return x->n_steps > 0;
}

const struct sb_step *
sb_evidence_step_at(const struct sb_evidence *x, int64_t process, int64_t at)
{
    const struct sb_actor *a = &x->actor[process];
    uint32_t lo = a->first, hi = a->first + a->n;
    SB_SEARCH(lo, hi, x->step[mid].start <= at);
    return lo > a->first ? &x->step[lo - 1] : NULL;
}

void
sb_evidence_close(struct sb_evidence *x)
{
    sb_pages_free(x->actor);
    free(x->present);
    free(x->step);
    free(x->letter);
    free(x->by_sender);
    free(x->inbox);
    free(x->outbox);
    free(x->edge);
    free(x->pairs);
    free(x->turn);
    sb_level_close(&x->level);
    *x = (struct sb_evidence){0};
}
