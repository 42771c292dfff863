/* Opens a .sbt file: finds its blocks and reads the layout of its kinds. */
#include "base/bytes.h"
#include "trace/sbt/sbt_read.h"
#include "trace/sbt/wire.h"
#include <stdlib.h>
#include <sys/stat.h>

static bool probe(const uint8_t *head, size_t n, const char *path);
static void close_sbt(struct sb_source *s);
static bool open_sbt(struct sb_source *s, struct sb_err *e);
static bool next(struct sb_source *s, struct sb_block *out, struct sb_err *e);

const struct sb_source_format sb_format_sbt = {
    .name = "sbt",
    .doc = "strobe's own trace, written by strobe record",
    .probe = probe,
    .open = open_sbt,
    .next = next,
    .decode = sb_sbt_decode,
    .close = close_sbt,
    .grow = sb_sbt_grow,
};

static bool
probe(const uint8_t *head, size_t n, const char *path)
{
    (void)path;
    return n >= 8 && memcmp(head, SB_SBT_MAGIC, 8) == 0;
}

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
#define FIELD(f)                                                                                             \
    {                                                                                                        \
#f, offsetof(struct sb_event_raw, f), sizeof(((struct sb_event_raw *)0)->f)                          \
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

static bool
load(struct sb_sbt_reader *r, uint64_t at)
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

/* Records a whole block at `at`. */
static void
take(struct sb_sbt_reader *r, const struct sb_sbt_block *b, uint64_t at)
{
    if (b->type == SB_SBT_DICT)
        r->dict_bytes = b->number + b->raw;
    if (b->type == SB_SBT_KINDS || b->type == SB_SBT_DICT)
        r->dict_ok = r->dict_ok && load(r, at);
    if (b->type != SB_SBT_EVENTS)
        return;
    r->source->info.records += b->events;
    if (r->source->options.grows) {
        sb_sbt_await(r, b, at);
        return;
    }
    *SB_PUSH(&r->place) = at;
    sb_sbt_hold(&r->held, b);
}

/* Adds the blocks that were recovered from the rings. */
static void
walk_left(struct sb_sbt_reader *r)
{
    struct sb_sbt_block b;
    for (uint64_t at = 0; at < r->left.n; at += sizeof b + sb_sbt_padded(b.stored)) {
        memcpy(&b, r->left.at + at, sizeof b);
        take(r, &b, r->n + at);
    }
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
        take(r, &b, here);
        r->walked = end;
    }
}

static struct sb_sbt_block
block_at(const struct sb_sbt_reader *r, uint64_t at)
{
    struct sb_sbt_block b = {0};
    uint64_t room;
    const uint8_t *p = sb_sbt_at(r, at, &room);
    if (p && room >= sizeof b)
        memcpy(&b, p, sizeof b);
    return b;
}

/* Describes a block from its head. Releases the pages around it, since heads are scattered over the whole
 * file. */
static struct sb_block
described(const struct sb_sbt_reader *r, uint64_t at)
{
    struct sb_sbt_block b = block_at(r, at);
    bool events = b.type == SB_SBT_EVENTS;
    struct sb_block block = {.at_byte = at,
                             .size = sizeof b + sb_sbt_padded(b.stored),
                             .first_ns = events ? b.first_ns : INT64_MIN,
                             .last_ns = !events                   ? INT64_MAX
                                        : b.last_ns < r->until_ns ? b.last_ns
                                                                  : r->until_ns,
                             .n_events = b.events};
    if (at < r->n)
        sb_source_done_with(r->source, &block);
    return block;
}

struct by_time {
    int64_t first_ns;
    uint64_t at;
};

static int
compare(const void *pa, const void *pb)
{
    const struct by_time *a = pa, *b = pb;
    return a->first_ns != b->first_ns ? (a->first_ns > b->first_ns) - (a->first_ns < b->first_ns)
                                      : (a->at > b->at) - (a->at < b->at);
}

static void
sort_places(struct sb_sbt_reader *r)
{
    struct by_time *t = sb_realloc_or_die(NULL, sizeof *t * (r->place.n + 1));
    for (size_t i = 0; i < r->place.n; i++) {
        struct sb_block block = described(r, r->place.at[i]);
        t[i] = (struct by_time){block.first_ns, block.at_byte};
    }
    qsort(t, r->place.n, sizeof *t, compare);
    for (size_t i = 0; i < r->place.n; i++)
        r->place.at[i] = t[i].at;
    free(t);
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
        r->source->info.lost[c] = t->dropped[c];
    r->source->info.records = t->events;
    r->source->info.drain_cpu_ns = t->drain_cpu_ns;
    r->has_trailer = true;
    return p;
}

/* Reads totals and offsets from the trailer. Returns false when the trailer does not fit the file: walk it
 * instead. */
static bool
use_trailer(struct sb_sbt_reader *r, uint64_t at)
{
    struct sb_sbt_trailer t;
    uint8_t *p = sb_sbt_read_totals(r, at, &t);
    if (!p)
        return false;
    const uint8_t *place = p + sizeof t + t.n_gaps * sizeof(struct sb_sbt_gap);
    bool ok = load(r, sizeof(struct sb_sbt_head));
    for (uint64_t i = 0; ok && i < t.n_dict; i++)
        ok = load(r, sb_get_le64(place + 8 * (t.n_blocks + i)));
    for (uint64_t i = 0; i < t.n_blocks; i++)
        *SB_PUSH(&r->place) = sb_get_le64(place + 8 * i);
    if (t.n_gaps)
        *SB_PUSH(&r->place) = at;
    r->source->info.node_cpu_ns = sb_sbt_node_cost_ns(r, &t);
    free(p);
    return true;
}

/* ---- the format */

static void
close_sbt(struct sb_source *s)
{
    struct sb_sbt_reader *r = s->state;
    if (!r)
        return;
    SB_VEC_FREE(&r->atom);
    SB_VEC_FREE(&r->mfa);
    SB_VEC_FREE(&r->node);
    SB_VEC_FREE(&r->place);
    SB_VEC_FREE(&r->left);
    SB_VEC_FREE(&r->held.ring);
    SB_VEC_FREE(&r->growing.waiting);
    free(r);
    s->state = NULL;
}

/* Reads a file without a trailer: it grows, or its drain was killed. One that has just been completed is longer
 * now. */
static void
read_unfinished(struct sb_sbt_reader *r, struct sb_sbt_head *head)
{
    struct stat st;
    head->rings[sizeof head->rings - 1] = 0;
    int fd = r->source->file[0].map.fd;
    r->written = sb_sbt_is_written(fd, head->rings) || (fstat(fd, &st) == 0 && (uint64_t)st.st_size > r->n);
    sb_sbt_walk(r);
    if (r->written) {
        if (r->source->options.known_only)
            sb_sbt_read_known(r);
        else
            sb_source_note(r->source, SB_SOURCE_UNFINISHED, SB_STR("the trace is still being written"));
        return;
    }
    sb_sbt_join_rings(r, head->rings);
    walk_left(r);
}

static bool
open_sbt(struct sb_source *s, struct sb_err *e)
{
    struct sb_sbt_head head;
    struct sb_sbt_reader *r = sb_realloc_or_die(NULL, sizeof *r);
    *r = (struct sb_sbt_reader){.source = s,
                                .p = s->file[0].map.p,
                                .n = s->file[0].map.n,
                                .until_ns = INT64_MAX,
                                .walked = sizeof head,
                                .dict_ok = true,
                                .written = s->options.grows,
                                .growing.latest_ns = INT64_MIN};
    s->state = r;
    if (s->n_files != 1) {
        sb_err_set(e, SB_ERR_USAGE, "a trace of strobe is one file");
        return sb_err_in(e, s->file[1].path, SB_NO_BYTE);
    }
    if (r->n < sizeof head) {
        sb_err_set(e, SB_ERR_INPUT, "the file ends within its head");
        return sb_err_in(e, s->file[0].path, r->n);
    }
    memcpy(&head, r->p, sizeof head);
    if (head.version != 1 || head.tick_shift != SB_WIRE_TICK_SHIFT) {
        sb_err_set(e, SB_ERR_INPUT, "is version %u of the format, and this strobe reads version 1",
                   head.version);
        return sb_err_in(e, s->file[0].path, 8);
    }
    *SB_PUSH(&r->atom) = *SB_PUSH(&r->mfa) = *SB_PUSH(&r->node) = 0;
    s->info.os_pid = head.os_pid;
    s->info.wall_minus_at_ns =
        /* wraps when the head is damaged */
        (int64_t)((uint64_t)head.wall_ns - (uint64_t)head.start_ns);
    if (s->options.grows) {
        sb_sbt_grow(s, &(struct sb_source_growth){0});
        return true;
    }
    if (!use_trailer(r, sb_sbt_find_trailer(r->p, r->n)))
        read_unfinished(r, &head);
    sb_sbt_number_nodes(r);
    sort_places(r);
    return true;
}

static bool
next(struct sb_source *s, struct sb_block *out, struct sb_err *e)
{
    (void)e;
    struct sb_sbt_reader *r = s->state;
    if (r->next >= r->place.n)
        return false;
    *out = described(r, r->place.at[r->next]);
    out->seq = r->next++;
    return true;
}
