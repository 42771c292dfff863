#include "engine/out/tables.h"
#include "base/order.h"
#include "engine/world/waits.h"
#include "engine/order/facts.h"
#include "engine/world/actors.h"
#include "engine/world/control.h"
#include "engine/edges/edge_tables.h"
#include "engine/out/emit.h"
#include "engine/out/group.h"
#include "engine/input/inputs.h"
#include "engine/world/lanes.h"
#include "engine/out/thread_rows.h"
#include "engine/pass/pass.h"
#include "trace/kind.h"

static int64_t
print_actor(const struct sb_run *r, sb_actor a)
{
    SB_ARENA(arena);
    return sb_build_text(r->services.build, sb_names_actor(r->names, a, &arena));
}

/* ---- processes and ports ---- */

/* Writes a row of table process or port: what the process is, and the columns of the passes. */
static void
write_actor(const struct sb_run *r, const struct sb_proc *p, enum sb_tab tab, int64_t *c, unsigned name)
{
    int64_t actor = print_actor(r, p->actor);
    sb_pass_put(r, p, c);
    for (unsigned k = 0; k < sb_schema[tab].n_columns; k++)
        if (sb_schema[tab].column[k].type == SB_TEXT && c[k] != SB_NULL)
            c[k] = sb_emit_text(r->services.emit, (uint32_t)c[k]);
    c[name] = actor;
    sb_build_row(r->services.build, tab, c);
}

static void
write_process(const struct sb_run *r, const struct sb_proc *p, int64_t group)
{
    int64_t c[SB_N_process];
    for (size_t i = 0; i < sizeof c / sizeof *c; i++)
        c[i] = SB_NULL;
    c[SB_C_process__id] = p->id;
    c[SB_C_process__node] = sb_node_id(r, sb_home_of(r, p->actor));
    c[SB_C_process__group_id] = group;
    c[SB_C_process__first_seen] = sb_rel(r, p->first_seen);
    c[SB_C_process__last_seen] = sb_rel_or_null(r, p->last_seen);
    write_actor(r, p, SB_T_process, c, SB_C_process__pid);
}

static void
write_port(const struct sb_run *r, const struct sb_proc *p)
{
    int64_t c[SB_N_port];
    for (size_t i = 0; i < sizeof c / sizeof *c; i++)
        c[i] = SB_NULL;
    c[SB_C_port__id] = p->id;
    c[SB_C_port__node] = sb_node_id(r, sb_home_of(r, p->actor));
    write_actor(r, p, SB_T_port, c, SB_C_port__name);
}

SB_ORDER(by_total, struct sb_place, SB_DOWN(total) ?: SB_DOWN(count))

static int
by_fn(const void *a, const void *b, void *names)
{
    const struct sb_place *x = a, *y = b;
    struct sb_mfa m = sb_names_mfa_of(names, x->fn), n = sb_names_mfa_of(names, y->fn);
    int c = sb_str_cmp(sb_names_str(names, m.m), sb_names_str(names, n.m));
    c = c ? c : sb_str_cmp(sb_names_str(names, m.f), sb_names_str(names, n.f));
    c = c ? c : (m.arity > n.arity) - (m.arity < n.arity);
    return by_total(a, b) ? by_total(a, b) : c;
}

static void
write_places(const struct sb_run *r, const struct sb_proc *p)
{
    if (p->places.n > 1)
        qsort_r(p->places.at, p->places.n, sizeof *p->places.at, by_fn, r->names);
    for (size_t i = 0; i < p->places.n; i++) {
        const struct sb_place *w = &p->places.at[i];
        if (w->count == 0) /* no wait in this function */
            continue;
        int64_t c[] = {
            [SB_C_wait__process] = p->id,
            [SB_C_wait__function] = sb_emit_text(r->services.emit, w->fn),
            [SB_C_wait__count] = (int64_t)w->count,
            [SB_C_wait__total_ns] = w->total,
            [SB_C_wait__max_ns] = w->max,
            [SB_C_wait__stddev_ns] = (int64_t)(__builtin_sqrt(w->m2 / (double)w->count) + 0.5),
        };
        sb_build_row(r->services.build, SB_T_wait, c);
    }
}

/* ---- schedulers, nodes, files ---- */

static void
write_lane(const struct sb_run *r, size_t i)
{
    static const uint8_t word[] = {[SB_LANE_UNKNOWN] = SB_W_unknown,
                                   [SB_LANE_NORMAL] = SB_W_normal,
                                   [SB_LANE_DIRTY_CPU] = SB_W_dirty_cpu,
                                   [SB_LANE_DIRTY_IO] = SB_W_dirty_io};
    const struct sb_lane_row *l = &r->lanes.row.at[i];
    enum sb_lane_kind kind = sb_lane_kind((sb_lane)l->lane);
    bool running = sb_recorded(r, SB_RUNNING) && r->facts.has_lanes;
    int64_t c[] = {
        [SB_C_scheduler__id] = (int64_t)i + 1,
        [SB_C_scheduler__node] = sb_node_id(r, l->lane >> 16),
        [SB_C_scheduler__number] = sb_lane_number((sb_lane)l->lane),
        [SB_C_scheduler__kind] =
            sb_emit_text(r->services.emit, r->words.of[kind < SB_LANE_OTHER ? word[kind] : SB_W_unknown]),
        [SB_C_scheduler__slice_ns] = running ? l->slice_ns : SB_NULL,
        [SB_C_scheduler__active_ns] = l->active_ns,
        [SB_C_scheduler__slices] = running ? l->slices : SB_NULL,
        [SB_C_scheduler__gc_ns] = sb_recorded(r, SB_GC) && r->facts.has_lanes ? l->gc_ns : SB_NULL,
        [SB_C_scheduler__first_event] = sb_rel_or_null(r, l->first_seen),
    };
    sb_build_row(r->services.build, SB_T_scheduler, c);
}

/* The CPU limits that the operating system gave the node when the recording began. */
static void
put_cpus(const struct sb_run *r, const struct sb_source_info *info, unsigned node, int64_t *c)
{
    const struct sb_event *cpus_event = sb_control_cpus(r->control, node);
    uint64_t cores =
        cpus_event && cpus_event->cpus.cores != SB_UNKNOWN32 ? cpus_event->cpus.cores : info->vm.cores;
    uint64_t quota = cpus_event               ? cpus_event->cpus.quota
                     : info->vm.cpu_quota_ppm ? info->vm.cpu_quota_ppm
                                              : SB_UNKNOWN;
    c[SB_C_node__schedulers_online] = info->vm.schedulers_online ? info->vm.schedulers_online : SB_NULL;
    c[SB_C_node__cores] = cores ? (int64_t)cores : SB_NULL;
    c[SB_C_node__cpu_quota_ppm] = quota == SB_UNKNOWN ? SB_NULL : (int64_t)quota;
}

static int64_t
ambiguous_of(const struct sb_run *r, unsigned node)
{
    int64_t n = 0;
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t k = 0; k < r->part[i].queues.ambiguous.n; k++)
            if (r->part[i].queues.ambiguous.at[k].to == node)
                n += (int64_t)r->part[i].queues.ambiguous.at[k].count;
    return n;
}

static void
write_node(const struct sb_run *r, unsigned node)
{
    const struct sb_input *in = sb_input_of(r, node);
    const struct sb_source_info *info = in ? sb_source_info(in->source) : NULL;
    uint32_t creation;
    struct sb_str name = sb_names_node_name(r->names, node, &creation);
    int64_t wall = !info                 ? SB_NULL
                   : info->clock_is_wall ? 0
                                         : info->clock.wall_ns; /* SB_AT_UNKNOWN equals SB_NULL */
    int64_t c[] = {
        [SB_C_node__id] = sb_node_id(r, node),
        [SB_C_node__name] = sb_build_text(r->services.build, name.n ? name : (struct sb_str){0}),
        [SB_C_node__otp] =
            sb_build_text(r->services.build, info && info->otp.n ? info->otp : (struct sb_str){0}),
        [SB_C_node__schedulers] = info && info->vm.schedulers ? info->vm.schedulers : SB_NULL,
        [SB_C_node__os_pid] = info && info->os_pid ? info->os_pid : SB_NULL,
        [SB_C_node__clock_offset_ns] = in ? in->offset_ns : SB_NULL,
        [SB_C_node__clock_error_ns] = in ? in->error_ns : SB_NULL,
        [SB_C_node__clock_conflict_ns] = in && in->drift_ns ? in->drift_ns : SB_NULL,
        [SB_C_node__creation] = info && info->creation ? info->creation
                                : !info && creation    ? creation
                                                       : SB_NULL,
        [SB_C_node__wall_ns] = wall,
        [SB_C_node__trace_start] = in && in->first <= in->last ? sb_rel(r, sb_node_start(r, node)) : SB_NULL,
        [SB_C_node__trace_end] = in && in->first <= in->last ? sb_rel(r, sb_node_end(r, node)) : SB_NULL,
        [SB_C_node__schedulers_online] = SB_NULL,
        [SB_C_node__cores] = SB_NULL,
        [SB_C_node__cpu_quota_ppm] = SB_NULL,
        [SB_C_node__boot] = sb_build_text(r->services.build, info ? info->clock.boot : (struct sb_str){0}),
        [SB_C_node__ambiguous] = in && sb_recorded(r, SB_MESSAGES) ? ambiguous_of(r, node) : SB_NULL,
        [SB_C_node__boot_ns] = info && info->clock.boot.n ? info->clock.boot_ns : SB_NULL,
    };
    if (info)
        put_cpus(r, info, node, c);
    sb_build_row(r->services.build, SB_T_node, c);
}

/* Events of a class (SB_CLASSES: of any) that were lost in a trace of the node at a known time. */
static uint64_t
lost_timed(const struct sb_run *r, unsigned node, unsigned class)
{
    uint64_t sum = 0;
    const struct sb_event *ev;
    for (size_t i = 0; (ev = sb_control_loss(r->control, i)); i++) {
        unsigned of = ev->drop.class < SB_CLASSES ? (unsigned)ev->drop.class : SB_CLASSES;
        if (of == class && sb_actor_node(ev->who) == node && ev->drop.events != SB_UNKNOWN)
            sum = sb_amount_sum(sum, ev->drop.events);
    }
    return sum;
}

/* What the traces of a node lost of a class, by their totals, and no event of theirs has a time for. */
static uint64_t
lost_untimed(const struct sb_run *r, unsigned node, unsigned class)
{
    uint64_t all = 0;
    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct sb_source_info *info = sb_source_info(r->inputs.at[i].source);
        if (r->inputs.at[i].node == node)
            all = sb_amount_sum(all, class < SB_CLASSES ? info->lost[class] : info->lost_any);
    }
    uint64_t timed =
        all > 0 ? lost_timed(r, node, class) : 0; /* of a file that names many nodes most lost none */
    return all > timed ? all - timed : 0;
}

static void
write_lost(const struct sb_run *r, unsigned node)
{
    for (unsigned k = 0; k <= SB_CLASSES; k++) {
        uint64_t n = lost_untimed(r, node, k);
        if (n == 0)
            continue;
        sb_build_row(r->services.build, SB_T_loss,
                     (int64_t[]){sb_node_id(r, node),
                                 sb_build_text(r->services.build,
                                               sb_str_of(k < SB_CLASSES ? sb_class_names[k] : "any")),
                                 SB_NULL, (int64_t)n, SB_NULL, SB_NULL});
    }
}

static bool
is_first_of_node(const struct sb_run *r, size_t input)
{
    for (size_t i = 0; i < input; i++)
        if (r->inputs.at[i].node == r->inputs.at[input].node)
            return false;
    return true;
}

static void
write_damage(const struct sb_run *r, const struct sb_source_info *info, unsigned node)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < info->damage.n; i++)
        bytes += info->damage.at[i].bytes;
    if (info->damages > 0)
        sb_build_row(r->services.build, SB_T_loss,
                     (int64_t[]){sb_node_id(r, node), sb_build_text(r->services.build, SB_STR("damage")),
                                 SB_NULL, (int64_t)info->damages, (int64_t)bytes, SB_NULL});
}

/* Returns the number of events that the merged profiles were made from, as each profile states it. The
 * events that a merge reads are fewer: calls, for example, are not replayed. */
static int64_t
records_of(const struct sb_run *r)
{
    int64_t n = 0;
    for (size_t i = 0; i < r->inputs.n; i++)
        n += (int64_t)sb_source_info(r->inputs.at[i].source)->records;
    return n;
}

static void
write_meta(const struct sb_run *r)
{
    int64_t node_cpu_ns = 0, drain_cpu_ns = 0; /* CPU time of the capture itself */
    SB_OUT_TO_MEMORY(list);
    for (unsigned k = 0; k < SB_CLASSES; k++)
        if (sb_recorded(r, (enum sb_class)k)) {
            if (list.n > 0)
                sb_out_char(&list, ',');
            sb_out_z(&list, sb_class_names[k]);
        }
    sb_build_meta(r->services.build, SB_STR("strobe"), SB_STR(SB_VERSION));
    if (r->o->trace && r->o->trace[0])
        sb_build_meta(r->services.build, SB_STR("trace"), sb_str_of(r->o->trace));
    sb_build_meta(r->services.build, SB_STR("recorded"), (struct sb_str){list.buf, list.n});
    if (!r->facts.untimed) {
        sb_build_meta_number(r->services.build, "span_ns", sb_rel(r, r->axis.end));
        sb_build_meta_number(r->services.build, "t0_ns", r->axis.t0);
    }
    sb_build_meta_number(r->services.build, "events", r->merges ? records_of(r) : (int64_t)r->facts.n_events);
    sb_build_meta(r->services.build, SB_STR("waits"),
                  sb_waits_learned(r->waits) ? SB_STR("learned") : SB_STR("recorded"));
    sb_build_meta(r->services.build, SB_STR("runnable"),
                  r->facts.vm_truth ? SB_STR("system_profile") : SB_STR("inferred"));
    sb_build_meta(r->services.build, SB_STR("time"),
                  r->facts.untimed      ? SB_STR("none, in the order of the file")
                  : r->facts.file_order ? SB_STR("cpu, in the order of the file")
                                        : SB_STR("wall"));
    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct sb_source_info *info = sb_source_info(r->inputs.at[i].source);
        for (size_t k = 0; k < info->notes.n; k++)
            sb_build_meta(r->services.build, info->notes.at[k].key, info->notes.at[k].value);
        node_cpu_ns += (int64_t)info->node_cpu_ns;
        drain_cpu_ns += (int64_t)info->drain_cpu_ns;
    }
    if (node_cpu_ns > 0)
        sb_build_meta_number(r->services.build, "node_cpu_ns", node_cpu_ns);
    if (drain_cpu_ns > 0)
        sb_build_meta_number(r->services.build, "drain_cpu_ns", drain_cpu_ns);
}

void
sb_tables_write(struct sb_run *r, const struct sb_process_index *all)
{
    sb_facts_parts(r);
    sb_pass_gather(r);
    sb_inputs_number_nodes(r);
    int64_t *group_of = sb_realloc_or_die(NULL, (r->ids.processes + 1) * sizeof *group_of);
    sb_groups_write(r, all, group_of);
    struct sb_proc room;
    for (uint32_t i = 1; i <= r->ids.processes; i++) {
        const struct sb_proc *p = sb_process_index_see(all, all->process[i], &room);
        write_process(r, p, group_of[i]);
        write_places(r, p);
    }
    for (uint32_t i = 1; i <= r->ids.ports; i++)
        write_port(r, sb_process_index_see(all, all->port[i], &room));
    sb_edge_tables_write(r, all);
    for (size_t i = 0; i < r->lanes.row.n; i++)
        write_lane(r, i);
    for (unsigned id = 1; id <= r->ids.nodes; id++)
        for (unsigned i = 0; i < SB_ACTOR_NODES; i++)
            if (r->ids.node[i] == id)
                write_node(r, i);
    sb_threads_write(r);
    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct sb_source_info *info = sb_source_info(r->inputs.at[i].source);
        if (is_first_of_node(r, i))
            write_lost(r, r->inputs.at[i].node);
        write_damage(r, info, r->inputs.at[i].node);
    }
    write_meta(r);
    free(group_of);
}
