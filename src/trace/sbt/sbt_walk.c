/* Finds the blocks of a .sbt file, and reads the layout of its kinds and its trailer. */
#include "trace/sbt/sbt_read.h"

/* ---- the table of kinds: one line per kind, "tag CLASS field:TYPE ..." */

static enum sb_slot_type
slot_type(struct sb_str s)
{
    static const char *const name[] = {
        [SB_SLOT_PID] = "PID", [SB_SLOT_MFA] = "MFA", [SB_SLOT_ATOM] = "ATOM", [SB_SLOT_TEXT] = "TEXT",
        [SB_SLOT_U] = "U",     [SB_SLOT_I] = "I",     [SB_SLOT_NUM] = "NUM",   [SB_SLOT_HEX] = "HEX"};
    for (unsigned i = 0; i < sizeof name / sizeof *name; i++)
        if (sb_str_eq(s, sb_str_of(name[i])))
            return (enum sb_slot_type)i;
    return SB_SLOT_NUM;
}

static struct sb_slot
slot_of(struct sb_str field, struct sb_str type)
{
#define FIELD(f) \
    { \
#f, offsetof(struct sb_event_raw, f), sizeof(((struct sb_event_raw *)0)->f) \
    }
    static const struct {
        const char *name;
        size_t offset, size;
    } fields[] = {FIELD(peer), FIELD(x), FIELD(y), FIELD(z), FIELD(f), FIELD(g), FIELD(n)};
#undef FIELD
    struct sb_slot s = {.type = slot_type(type)};
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        if (sb_str_eq(field, sb_str_of(fields[i].name))) {
            s.offset = (uint8_t)fields[i].offset;
            s.size = (uint8_t)fields[i].size;
        }
    return s;
}

/* The table of kinds also lists slots that only OTP's traces have. */
static bool
is_written(enum sb_event_kind kind, const struct sb_slot *s)
{
    const struct sb_kind *k = &sb_kinds[kind];
    for (unsigned i = 0; i < k->n_slots; i++)
        if (k->slot[i].offset == s->offset)
            return !k->slot[i].otp_only;
    return true;
}

static void
read_row(struct sb_sbt_reader *r, struct sb_sbt_row *row, struct sb_str line)
{
    struct sb_str tag = sb_str_cut(&line, ' ');
    enum sb_event_kind kind = SB_EV_unknown;
    sb_kind_find(tag, &kind);
    row->kind = (uint8_t)kind;
    row->tag = sb_names_atom(r->source->names, tag);
    sb_str_cut(&line, ' '); /* the class */
    while (line.n > 0 && row->n_slots < SB_MAX_SLOTS) {
        struct sb_str type = sb_str_cut(&line, ' '), field = sb_str_cut(&type, ':');
        struct sb_slot s = slot_of(field, type);
        if (field.n == 0 || !is_written(kind, &s))
            continue;
        if (kind == SB_EV_unknown)
            s.size = 0; /* skipped */
        row->slot[row->n_slots++] = s;
    }
}

void
sb_sbt_read_rows(struct sb_sbt_reader *r, struct sb_str table)
{
    for (unsigned i = 0; i < SB_KINDS_MAX && table.n > 0; i++)
        read_row(r, &r->row[i], sb_str_cut(&table, '\n'));
}

/* ---- finding the blocks */

uint64_t
sb_sbt_find_trailer(const uint8_t *p, uint64_t n)
{
    struct sb_sbt_end end;
    if (n < sizeof(struct sb_sbt_head) + sizeof end)
        return 0;
    memcpy(&end, p + n - sizeof end, sizeof end);
    return memcmp(end.magic, SB_SBT_END, 8) == 0 && end.trailer_at < n ? end.trailer_at : 0;
}

bool
sb_sbt_read_trailer(const char *path, struct sb_sbt_trailer *t, struct sb_err *e)
{
    struct sb_sbt_reader r = {0};
    struct sb_file f;
    SB_TRY(sb_file_open(&f, path, e));
    r.p = f.p;
    r.n = f.n;
    struct sb_sbt_block b;
    uint64_t at = sb_sbt_find_trailer(f.p, f.n);
    uint8_t *p = at ? sb_sbt_unpack(&r, at, &b) : NULL;
    bool ok = p && b.type == SB_SBT_TRAILER && b.raw >= sizeof *t;
    if (ok)
        memcpy(t, p, sizeof *t);
    free(p);
    sb_file_close(&f);
    if (ok)
        return true;
    sb_err_set(e, SB_ERR_INPUT, "the trace has no trailer");
    return sb_err_in(e, path, SB_NO_BYTE);
}

bool
sb_sbt_read_start(const char *path, int64_t *start_ns)
{
    struct sb_file f;
    struct sb_err ignored;
    SB_TRY(sb_file_open(&f, path, &ignored));
    bool ok = f.n >= sizeof(struct sb_sbt_head);
    if (ok)
        memcpy(start_ns, f.p + offsetof(struct sb_sbt_head, start_ns), sizeof *start_ns);
    sb_file_close(&f);
    return ok;
}

bool
sb_sbt_load(struct sb_sbt_reader *r, uint64_t at)
{
    struct sb_sbt_block b;
    uint8_t *p = sb_sbt_unpack(r, at, &b);
    bool ok = p != NULL;
    if (ok && b.type == SB_SBT_KINDS)
        sb_sbt_read_rows(r, (struct sb_str){(const char *)p, b.raw});
    else if (ok && b.type == SB_SBT_DICT)
        ok = sb_sbt_read_dict(r, p, b.raw);
    if (!ok)
        sb_source_damaged(r->source, 0, at, sizeof b, "a damaged dictionary: names are missing");
    free(p);
    return ok;
}

/* Returns the offset of the first valid block head at or after `at`; r->n when there is none. */
static uint64_t
find_block(const struct sb_sbt_reader *r, uint64_t at)
{
    struct sb_sbt_block b;
    for (at = (at + 7) & ~UINT64_C(7); at + sizeof b <= r->n; at += 8) {
        memcpy(&b, r->p + at, sizeof b);
        if (b.magic == SB_SBT_BLOCK && sb_sbt_check_head(&b))
            return at;
    }
    return r->n;
}

/* Keeps a block of events of a file that grows until it can be given out. */
static uint32_t
functions(const struct sb_sbt_reader *r)
{
    return (uint32_t)r->mfa.n - 1; /* [0] is none */
}

static void
await(struct sb_sbt_reader *r, const struct sb_sbt_block *b, uint64_t at)
{
    struct sb_sbt_growing *g = &r->growing;
    *SB_PUSH(&g->waiting) = (struct sb_sbt_unstated){at, b->first_ns, functions(r)};
    g->latest_ns = b->last_ns > g->latest_ns ? b->last_ns : g->latest_ns;
}

void
sb_sbt_take(struct sb_sbt_reader *r, const struct sb_sbt_block *b, uint64_t at)
{
    if (b->type == SB_SBT_DICT)
        r->dict_bytes = b->number + b->raw;
    if (b->type == SB_SBT_KINDS || b->type == SB_SBT_DICT)
        r->dict_ok = r->dict_ok && sb_sbt_load(r, at);
    if (b->type != SB_SBT_EVENTS)
        return;
    r->source->info.records += b->events;
    if (r->source->options.grows) {
        await(r, b, at);
        return;
    }
    *SB_PUSH(&r->place) = at;
    sb_sbt_hold(&r->held, b);
}

void
sb_sbt_walk(struct sb_sbt_reader *r)
{
    while (r->walked < r->n) {
        uint64_t here = find_block(r, r->walked);
        if (here == r->n && r->written) /* the drain is writing the next block */
            return;
        if (here > r->walked)
            sb_source_damaged(r->source, 0, r->walked, here - r->walked,
                              here == r->n ? "cut off in the middle of a block" : "not a block");
        r->walked = here;
        if (here == r->n)
            return;
        struct sb_sbt_block b;
        memcpy(&b, r->p + here, sizeof b);
        uint64_t end = here + sizeof b + sb_sbt_padded(b.stored);
        if (end > r->n) {
            if (!r->written)
                sb_source_damaged(r->source, 0, here, r->n - here, "cut off in the middle of a block");
            return;
        }
        sb_sbt_take(r, &b, here);
        r->walked = end;
    }
}

/*
 * Estimates the CPU time that recording took from the node: the number of events of each kind times the
 * measured cost of one event of its class. A class without a measurement counts as scheduling (else as
 * messages). Events that strobe's own processes write (samples, existing processes, labels) cost only the
 * record. Events of the drain cost the node nothing.
 */
uint64_t
sb_sbt_node_cost_ns(const struct sb_sbt_reader *r, const struct sb_sbt_trailer *t)
{
    const struct sb_source_info *info = &r->source->info;
    uint64_t sum = 0, other = info->cost_ns_x100[SB_RUNNING] ? info->cost_ns_x100[SB_RUNNING]
                                                             : info->cost_ns_x100[SB_MESSAGES];
    for (unsigned k = 0; k < SB_KINDS_MAX && other; k++) {
        enum sb_class class = sb_kinds[r->row[k].kind].class;
        bool ours = class == SB_META || class == SB_VM || r->row[k].kind == SB_EV_exists ||
                    r->row[k].kind == SB_EV_label;
        uint64_t each = class == SB_META            ? 0
                        : ours                      ? info->cost_ns_per_event_x100
                        : info->cost_ns_x100[class] ? info->cost_ns_x100[class]
                                                    : other;
        sum += t->kinds[k] * each / 100;
    }
    return sum;
}

static bool
is_trailer(const struct sb_sbt_block *b, const uint8_t *p, struct sb_sbt_trailer *t)
{
    if (!p || b->type != SB_SBT_TRAILER || b->raw < sizeof *t)
        return false;
    memcpy(t, p, sizeof *t);
    uint64_t left = b->raw - sizeof *t;
    return t->n_gaps <= left / sizeof(struct sb_sbt_gap) && t->n_blocks <= left / 8 &&
           t->n_gaps * sizeof(struct sb_sbt_gap) + 8 * (t->n_blocks + t->n_dict) == left;
}

void
sb_sbt_note_stop(struct sb_sbt_reader *r, uint32_t stop)
{
    if (stop == SB_STOP_DISK)
        sb_source_damaged(r->source, 0, r->n, 0,
                          "the recording ended early, since the trace could not be written");
}

uint8_t *
sb_sbt_read_totals(struct sb_sbt_reader *r, uint64_t at, struct sb_sbt_trailer *t)
{
    struct sb_sbt_block b;
    uint8_t *p = at ? sb_sbt_unpack(r, at, &b) : NULL;
    if (!is_trailer(&b, p, t)) {
        free(p);
        return NULL;
    }
    for (unsigned c = 0; c < SB_CLASSES; c++)
        r->source->info.lost[c] = sb_amount_sum(0, t->dropped[c]);
    sb_sbt_note_stop(r, t->stop); /* another drain has completed the trace */
    r->source->info.records = t->events;
    r->source->info.drain_cpu_ns = t->drain_cpu_ns;
    r->has_trailer = true;
    return p;
}
