#include "engine/merge/profile_source.h"
#include "engine/merge/profile_source_rows.h"
#include "trace/kind.h"

enum { BLOCK_ROWS = 16 * SB_BLOCK_ROWS };

/* ---- facts about the whole profile ---- */

struct sb_str
sb_profile_source_meta(const struct sb_source *s, const char *key)
{
    return sb_profile_meta(sb_profile_source_profile(s), sb_str_of(key));
}

static int64_t
number_of(const struct sb_source *s, const char *key)
{
    int64_t v;
    return sb_str_to_i64(sb_profile_source_meta(s, key), &v) ? v : 0;
}

static void
read_losses(struct sb_profile_source *g, struct sb_source_info *info)
{
    for (uint64_t r = 0; r < sb_profile_rows(g->p, SB_T_loss); r++) {
        struct sb_str class = sb_profile_text(g->p, SB_CELL(g->p, loss, class, r));
        int64_t events = SB_CELL(g->p, loss, events, r);
        enum sb_class c;
        if (SB_CELL(g->p, loss, node, r) != g->node || events == SB_NULL)
            continue;
        if (sb_str_eq(class, SB_STR("damage"))) {
            int64_t bytes = SB_CELL(g->p, loss, bytes, r);
            info->damages = (uint64_t)events;
            *SB_PUSH(&info->damage) = (struct sb_damage){.bytes = bytes == SB_NULL ? 0 : (uint64_t)bytes};
        } else if (sb_class_find(class, &c)) {
            info->lost[c] = sb_amount_sum(info->lost[c], (uint64_t)events);
        } else {
            info->lost_any = sb_amount_sum(info->lost_any, (uint64_t)events);
        }
    }
}

/* Metadata of the whole profile is reported by the source of its first node. */
static void
read_meta(struct sb_source *s, struct sb_source_info *info)
{
    static const struct sb_str made[] = {
        SB_STR("strobe"),      SB_STR("recorded"),     SB_STR("sends_to_unknown_names"),
        SB_STR("span_ns"),     SB_STR("t0_ns"),        SB_STR("events"),
        SB_STR("runnable"),    SB_STR("time"),         SB_STR("waits"),
        SB_STR("node_cpu_ns"), SB_STR("drain_cpu_ns"), SB_STR("profile_opts"),
        SB_STR("trace")};
    const struct sb_profile *p = sb_profile_source_profile(s);
    info->records = (uint64_t)number_of(s, "events");
    info->node_cpu_ns = (uint64_t)number_of(s, "node_cpu_ns");
    info->drain_cpu_ns = (uint64_t)number_of(s, "drain_cpu_ns");
    for (uint64_t r = 0; r < sb_profile_rows(p, SB_T_meta); r++) {
        struct sb_str key = sb_profile_text(p, SB_CELL(p, meta, key, r));
        bool known = key.n == 0;
        for (size_t i = 0; i < sizeof made / sizeof *made; i++)
            known |= sb_str_eq(key, made[i]);
        if (!known)
            *SB_PUSH(&info->notes) = (struct sb_note){key, sb_profile_text(p, SB_CELL(p, meta, value, r))};
    }
}

static uint32_t
or_none(int64_t v)
{
    return v < 0 || v > UINT32_MAX ? 0 : (uint32_t)v;
}

static void
read_facts(struct sb_source *s, struct sb_profile_source *g, uint64_t row)
{
    struct sb_source_info *info = sb_source_facts(s);
    struct sb_str recorded = sb_profile_source_meta(s, "recorded");
    enum sb_class c;
    int64_t wall = SB_CELL(g->p, node, wall_ns, row);
    while (recorded.n > 0)
        if (sb_class_find(sb_str_cut(&recorded, ','), &c))
            info->recorded |= UINT64_C(1) << c;
    info->node_name = sb_profile_text(g->p, SB_CELL(g->p, node, name, row));
    info->otp = sb_profile_text(g->p, SB_CELL(g->p, node, otp, row));
    info->creation = or_none(SB_CELL(g->p, node, creation, row));
    info->os_pid = or_none(SB_CELL(g->p, node, os_pid, row));
    info->vm.schedulers = or_none(SB_CELL(g->p, node, schedulers, row));
    info->vm.schedulers_online = or_none(SB_CELL(g->p, node, schedulers_online, row));
    info->vm.cores = or_none(SB_CELL(g->p, node, cores, row));
    info->vm.cpu_quota_ppm = or_none(SB_CELL(g->p, node, cpu_quota_ppm, row));
    info->clock.wall_ns = wall == SB_NULL ? SB_AT_UNKNOWN : wall;
    info->clock.boot = sb_profile_text(g->p, SB_CELL(g->p, node, boot, row));
    info->clock.boot_ns = SB_CELL(g->p, node, boot_ns, row);
    for (size_t i = 1; i < g->lanes && info->vm.schedulers; i++) {
        info->vm.dirty_cpu += g->own_lane[i] && sb_lane_kind(g->lane[i]) == SB_LANE_DIRTY_CPU;
        info->vm.dirty_io += g->own_lane[i] && sb_lane_kind(g->lane[i]) == SB_LANE_DIRTY_IO;
    }
    for (unsigned t = 0; t < sb_profile_source_tables_n; t++)
        info->bytes += sb_profile_rows(g->p, sb_profile_source_tables[t].tab) * 8;
    info->bytes += 8;
    read_losses(g, info);
    if (g->first)
        read_meta(s, info);
    g->vm_reported = sb_str_eq(sb_profile_source_meta(s, "runnable"), SB_STR("system_profile"));
}

/* ---- processes, ports, schedulers ---- */

/* Returns a column of the table of nodes; the caller frees it. A cell alone costs as much as its block. */
static int64_t *
of_nodes(const struct sb_profile *p, unsigned column)
{
    uint64_t n = sb_profile_rows(p, SB_T_node);
    int64_t *v = sb_zeroed_or_die(n, sizeof *v);
    sb_profile_read(p, SB_T_node, column, 0, n, v);
    return v;
}

static void
name_nodes(struct sb_profile_source *g, uint64_t row)
{
    g->nodes = sb_profile_rows(g->p, SB_T_node) + 1;
    g->node_index = sb_zeroed_or_die(g->nodes, sizeof *g->node_index);
    int64_t *name = of_nodes(g->p, SB_C_node__name), *creation = of_nodes(g->p, SB_C_node__creation);
    for (uint64_t i = 0; i + 1 < g->nodes; i++) {
        struct sb_str text = sb_profile_text(g->p, name[i]);
        name[i] = sb_names_atom(g->names, text);
        if (i == row && text.n > 0)
            sb_names_set_traced_node(g->names, (uint32_t)name[i], or_none(creation[i]));
    }
    for (uint64_t i = 0; i + 1 < g->nodes; i++)
        g->node_index[i + 1] =
            i == row ? 0 : (uint16_t)sb_names_node(g->names, (uint32_t)name[i], or_none(creation[i]));
    free(name);
    free(creation);
}

static sb_actor *
read_actors(struct sb_profile_source *g, enum sb_tab t, unsigned node_col, unsigned name_col, uint8_t **own)
{
    uint64_t n = sb_profile_rows(g->p, t);
    sb_actor *at = sb_zeroed_or_die(n + 1, sizeof *at);
    *own = sb_zeroed_or_die(n + 1, 1);
    struct sb_reader *r = sb_reader_open(g->p, t);
    for (uint64_t i = 0; i < n; i++) {
        int64_t node = sb_profile_source_cell(r, node_col, i);
        struct sb_str name = sb_profile_text(g->p, sb_profile_source_cell(r, name_col, i));
        unsigned index = node > 0 && (uint64_t)node < g->nodes ? g->node_index[node] : 0;
        if (!sb_text_actor(name, g->names, index, &at[i + 1]))
            at[i + 1] = 0;
        (*own)[i + 1] = node == g->node && at[i + 1] != 0;
    }
    sb_reader_close(r);
    return at;
}

static void
read_lanes(struct sb_profile_source *g)
{
    static const struct {
        struct sb_str name;
        enum sb_lane_kind kind;
    } kinds[] = {{SB_STR("normal"), SB_LANE_NORMAL},
                 {SB_STR("dirty_cpu"), SB_LANE_DIRTY_CPU},
                 {SB_STR("dirty_io"), SB_LANE_DIRTY_IO}};
    g->lanes = sb_profile_rows(g->p, SB_T_scheduler) + 1;
    g->lane = sb_zeroed_or_die(g->lanes, sizeof *g->lane);
    g->own_lane = sb_zeroed_or_die(g->lanes, 1);
    for (uint64_t i = 1; i < g->lanes; i++) {
        struct sb_str kind = sb_profile_text(g->p, SB_CELL(g->p, scheduler, kind, i - 1));
        unsigned number = or_none(SB_CELL(g->p, scheduler, number, i - 1));
        g->lane[i] = sb_lane_make(number ? SB_LANE_OTHER : SB_LANE_UNKNOWN, number);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (sb_str_eq(kind, kinds[k].name))
                g->lane[i] = sb_lane_make(kinds[k].kind, number);
        g->own_lane[i] = SB_CELL(g->p, scheduler, node, i - 1) == g->node;
    }
}

/* Collects the slices without an end: their `in` is in table event. */
static void
find_open_slices(struct sb_profile_source *g)
{
    int64_t in = sb_profile_find_text(g->p, sb_str_of(sb_kinds[SB_EV_in].tag));
    uint64_t n = in == SB_NULL ? 0 : sb_profile_rows(g->p, SB_T_event);
    struct sb_reader *r = sb_reader_open(g->p, SB_T_event);
    for (uint64_t i = 0; i < n; i++) {
        if (sb_profile_source_cell(r, SB_C_event__kind, i) == in)
            sb_map_put(&g->open,
                       sb_profile_source_slice_key(sb_profile_source_cell(r, SB_C_event__process, i),
                                                   sb_profile_source_cell(r, SB_C_event__port, i),
                                                   sb_profile_source_cell(r, SB_C_event__at, i)),
                       NULL);
    }
    sb_reader_close(r);
}

static void
name_threads(struct sb_profile_source *g)
{
    for (uint64_t i = 0; i < sb_profile_rows(g->p, SB_T_thread); i++) {
        int64_t tid = SB_CELL(g->p, thread, tid, i);
        int64_t name = SB_CELL(g->p, thread, name, i);
        if (SB_CELL(g->p, thread, node, i) == g->node && name >= 0 && name < UINT32_MAX)
            *sb_map_put(&g->thread, (uint64_t)tid, NULL) = (uint32_t)name + 1;
    }
}

/* ---- the source ---- */

static bool
next_block(struct sb_source *s, struct sb_block *b, struct sb_err *e)
{
    (void)e;
    struct sb_profile_source *g = sb_source_state(s);
    while (g->table < sb_profile_source_tables_n &&
           g->row >= sb_profile_rows(g->p, sb_profile_source_tables[g->table].tab)) {
        g->table++;
        g->row = 0;
    }
    if (g->table == sb_profile_source_tables_n && (g->row > 0 || g->start_ns == SB_NULL))
        return false;
    uint64_t left = g->table < sb_profile_source_tables_n
                        ? sb_profile_rows(g->p, sb_profile_source_tables[g->table].tab) - g->row
                        : 1;
    uint64_t n = left < BLOCK_ROWS ? left : BLOCK_ROWS;
    *b = (struct sb_block){.seq = g->seq++,
                           .file = g->table,
                           .at_byte = g->row,
                           .size = n * 8,
                           .first_ns = INT64_MIN,
                           .last_ns = INT64_MAX,
                           .n_events = n * 2};
    g->row += n;
    return true;
}

/* Emits the start and the end of the node's trace, which may differ from its first and last event. */
static void
put_bounds(const struct sb_profile_source *g, struct sb_events *out)
{
    struct sb_event ev = sb_event_of(SB_EV_profile_start);
    ev.at_ns = sb_profile_source_add(g->shift_ns, g->start_ns);
    *SB_PUSH(out) = ev;
    ev.kind = SB_EV_profile_stop;
    ev.at_ns = sb_profile_source_add(g->shift_ns, g->end_ns);
    *SB_PUSH(out) = ev;
}

static void
decode(struct sb_source *s, const struct sb_block *b, struct sb_events *out)
{
    const struct sb_profile_source *g = sb_source_state(s);
    if (b->file == sb_profile_source_tables_n) {
        put_bounds(g, out);
        return;
    }
    struct sb_reader *r = sb_reader_open(g->p, sb_profile_source_tables[b->file].tab);
    for (uint64_t row = b->at_byte; row < b->at_byte + b->size / 8; row++)
        sb_profile_source_tables[b->file].events_of(g, r, row, out);
    sb_reader_close(r);
}

static void
close_profile(struct sb_source *s)
{
    struct sb_profile_source *g = sb_source_state(s);
    for (unsigned k = 0; k < SB_PROFILE_SOURCE_NAMES; k++)
        free(g->name[k]);
    free(g->process);
    free(g->port);
    free(g->own_process);
    free(g->own_port);
    free(g->lane);
    free(g->own_lane);
    free(g->node_index);
    sb_map_close(&g->open);
    sb_map_close(&g->thread);
    sb_profile_close(g->p);
    free(g);
}

static const struct sb_source_format format = {.name = "profile",
                                               .doc = "a profile, replayed as events",
                                               .next = next_block,
                                               .decode = decode,
                                               .close = close_profile};

/* Returns the row of the nth traced node in table node, or UINT64_MAX. Only traced nodes have a clock. */
static uint64_t
nth_node(const struct sb_profile *p, unsigned nth)
{
    uint64_t n = sb_profile_rows(p, SB_T_node), row = 0;
    int64_t *offset_ns = of_nodes(p, SB_C_node__clock_offset_ns);
    while (row < n && (offset_ns[row] == SB_NULL || nth-- > 0))
        row++;
    free(offset_ns);
    return row < n ? row : UINT64_MAX;
}

bool
sb_profile_source_open(struct sb_source **out, const char *path, unsigned nth, struct sb_err *e)
{
    struct sb_profile_source *g = sb_zeroed_or_die(1, sizeof *g);
    *out = NULL;
    if (!sb_profile_open(&g->p, path, e)) {
        free(g);
        return false;
    }
    uint64_t row = nth_node(g->p, nth);
    struct sb_source *s = sb_source_make(&format, g);
    bool untimed = sb_str_starts(sb_profile_source_meta(s, "time"), SB_STR("none"));
    if (untimed || sb_profile_source_meta(s, "waits").n == 0) {
        sb_source_close(s);
        sb_err_set(e, SB_ERR_INPUT, "%s",
                   untimed ? "has no time stamps, so it cannot be merged with others"
                           : "was written by an older strobe and lacks data that a merge needs");
        sb_err_advise(e, untimed ? "record with time stamps" : "analyse its trace again");
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    if (row == UINT64_MAX) {
        sb_source_close(s);
        return true;
    }
    g->names = sb_source_names(s);
    g->first = nth == 0;
    g->node = SB_CELL(g->p, node, id, row);
    g->shift_ns = sb_profile_source_sub(number_of(s, "t0_ns"), SB_CELL(g->p, node, clock_offset_ns, row));
    g->start_ns = SB_CELL(g->p, node, trace_start, row);
    g->end_ns = SB_CELL(g->p, node, trace_end, row);
    g->texts = (size_t)sb_profile_texts(g->p);
    for (unsigned k = 0; k < SB_PROFILE_SOURCE_NAMES; k++)
        g->name[k] = sb_zeroed_or_die(g->texts + 1, sizeof *g->name[k]);
    name_nodes(g, row);
    g->process = read_actors(g, SB_T_process, SB_C_process__node, SB_C_process__pid, &g->own_process);
    g->port = read_actors(g, SB_T_port, SB_C_port__node, SB_C_port__name, &g->own_port);
    read_lanes(g);
    find_open_slices(g);
    name_threads(g);
    read_facts(s, g, row);
    *out = s;
    return true;
}

/* ---- queries ---- */

static const struct sb_profile_source *
state_of(const struct sb_source *s)
{
    return sb_source_state(s);
}

const struct sb_profile *
sb_profile_source_profile(const struct sb_source *s)
{
    return state_of(s)->p;
}

int64_t
sb_profile_source_shift_ns(const struct sb_source *s)
{
    return state_of(s)->shift_ns;
}

sb_actor
sb_profile_source_process(const struct sb_source *s, int64_t id)
{
    return sb_profile_source_actor(state_of(s), id);
}

bool
sb_profile_source_is_own(const struct sb_source *s, int64_t id)
{
    return id > 0 && (uint64_t)id <= sb_profile_rows(state_of(s)->p, SB_T_process) &&
           state_of(s)->own_process[id];
}

sb_lane
sb_profile_source_lane(const struct sb_source *s, int64_t scheduler)
{
    const struct sb_profile_source *g = state_of(s);
    bool own = scheduler > 0 && (uint64_t)scheduler < g->lanes && g->own_lane[scheduler];
    return own ? g->lane[scheduler] : SB_LANE_NONE;
}

uint32_t
sb_profile_source_function(const struct sb_source *s, int64_t text)
{
    return sb_profile_source_name(state_of(s), SB_SLOT_MFA, text);
}

uint32_t
sb_profile_source_text(const struct sb_source *s, int64_t text)
{
    return sb_profile_source_name(state_of(s), SB_SLOT_TEXT, text);
}
