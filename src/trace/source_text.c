/*
 * A trace in text form: one line per event (trace/text.h). Lines about the trace as a whole precede the first
 * event:
 *
 *     @meta node=a@host creation=3 otp=27 schedulers=4 recorded=procs,messages boot=7f2c wall lost=12 lost.calls=7
 */
#include "trace/source_impl.h"
#include "trace/text.h"
#include "trace/text_impl.h"

static bool probe(const uint8_t *head, size_t n, const char *path);
static bool open_text(struct sb_source *s, struct sb_err *e);
static bool next_text(struct sb_source *s, struct sb_block *b, struct sb_err *e);
static void decode_text(struct sb_source *s, const struct sb_block *b, struct sb_events *out);
static void close_text(struct sb_source *s);

const struct sb_source_format sb_format_text = {
    .name = "text",
    .doc = "events written by hand or by strobe dump, a line each",
    .probe = probe,
    .open = open_text,
    .next = next_text,
    .decode = decode_text,
    .close = close_text,
};

enum { BLOCK = 256 << 10, LOOKED_AT = 4096 };

struct reading {
    uint32_t file;
    uint64_t at;
    uint64_t seq;
};

/* Returns true for printable bytes, tabs, line ends and bytes of UTF-8. */
static bool
is_text(const uint8_t *head, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (head[i] == 0x7f || (head[i] < ' ' && head[i] != '\n' && head[i] != '\t' && head[i] != '\r'))
            return false;
    return n > 0;
}

static bool
is_event(struct sb_str line)
{
    line = sb_str_trim(line);
    return line.n > 0 && line.p[0] != '#' && line.p[0] != '@';
}

static bool
has_tag(struct sb_str line)
{
    enum sb_event_kind kind;
    for (unsigned before = 0; before < 3; before++) /* time, who, lane */
        sb_text_word(&line);
    return sb_kind_find(sb_text_word(&line), &kind);
}

/* Accepts text with a valid line of a trace, or with comments only. */
static bool
probe(const uint8_t *head, size_t n, const char *path)
{
    (void)path;
    struct sb_str rest = {(const char *)head, n};
    bool nothing = true;
    if (!is_text(head, n < LOOKED_AT ? n : LOOKED_AT))
        return false;
    while (rest.n > 0) {
        struct sb_str line = sb_str_cut(&rest, '\n');
        if (sb_str_starts(sb_str_trim(line), SB_STR("@meta")) || (is_event(line) && has_tag(line)))
            return true;
        nothing &= !is_event(line);
    }
    return nothing;
}

static struct sb_str
line_at(const struct sb_file *f, uint64_t at)
{
    const uint8_t *end = memchr(f->p + at, '\n', f->n - at);
    return (struct sb_str){(const char *)f->p + at, end ? (size_t)(end - f->p) - at : f->n - at};
}

static void
read_recorded(struct sb_source *s, struct sb_str list)
{
    enum sb_class c;
    while (list.n)
        if (sb_class_find(sb_str_cut(&list, ','), &c))
            s->info.recorded |= 1ull << c;
}

static bool
read_number(struct sb_str text, uint32_t *into, struct sb_err *e)
{
    uint64_t v;
    if (!sb_str_to_u64(text, &v) || v > UINT32_MAX)
        return sb_err_set(e, SB_ERR_INPUT, "bad number '%.*s'", SB_STR_ARG(text));
    *into = (uint32_t)v;
    return true;
}

static bool
read_lost(struct sb_source *s, struct sb_str class, struct sb_str text, struct sb_err *e)
{
    enum sb_class c = SB_CLASSES;
    uint64_t v;
    if (!sb_str_to_u64(text, &v) || (class.n && !sb_class_find(class, &c)))
        return sb_err_set(e, SB_ERR_INPUT, "bad loss '%.*s'", SB_STR_ARG(text));
    sb_source_lost(s, c, v);
    return true;
}

static bool
read_fact(struct sb_source *s, struct sb_str word, struct sb_err *e)
{
    struct sb_source_info *info = &s->info;
    struct sb_str value = word, key = sb_str_cut(&value, '=');
    const struct {
        const char *name;
        uint32_t *into;
    } numbers[] = {{"creation", &info->creation},
                   {"schedulers", &info->vm.schedulers},
                   {"schedulers_online", &info->vm.schedulers_online},
                   {"cores", &info->vm.cores},
                   {"dirty_cpu", &info->vm.dirty_cpu},
                   {"dirty_io", &info->vm.dirty_io},
                   {"os_pid", &info->os_pid}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sb_str_eq(key, sb_str_of(numbers[i].name)))
            return read_number(value, numbers[i].into, e);
    if (sb_str_eq(key, SB_STR("node_cpu_ns")) && sb_str_to_u64(value, &info->node_cpu_ns))
        return true;
    if (sb_str_eq(key, SB_STR("drain_cpu_ns")) && sb_str_to_u64(value, &info->drain_cpu_ns))
        return true;
    if (sb_str_eq(key, SB_STR("boot_minus_at_ns")) && sb_str_to_i64(value, &info->clock.boot_ns))
        return true;
    if (sb_str_starts(key, SB_STR("lost")))
        return read_lost(s, sb_str_sub(key, 5, SIZE_MAX), value, e);
    if (sb_str_eq(key, SB_STR("node")))
        info->node_name = value;
    else if (sb_str_eq(key, SB_STR("otp")))
        info->otp = value;
    else if (sb_str_eq(key, SB_STR("boot")))
        info->clock.boot = value;
    else if (sb_str_eq(key, SB_STR("recorded")))
        read_recorded(s, value);
    else if (sb_str_eq(key, SB_STR("wall")))
        info->clock_is_wall = true;
    else if (sb_str_eq(key, SB_STR("cpu")))
        info->cpu_time = true;
    else if (sb_str_eq(key, SB_STR("untimed")))
        info->untimed = true;
    else if (sb_str_eq(key, SB_STR("own_order")))
        info->own_order = true;
    else
        return sb_err_set(e, SB_ERR_INPUT, "@meta knows no '%.*s'", SB_STR_ARG(key));
    return true;
}

static bool
read_meta(struct sb_source *s, struct sb_str line, struct sb_err *e)
{
    sb_text_word(&line);
    for (struct sb_str word; (word = sb_text_word(&line)).n > 0;)
        SB_TRY(read_fact(s, word, e));
    return true;
}

/* Reads the facts. They come first: reading stops at the first line that is not empty, a comment or a
 * fact. */
static bool
open_text(struct sb_source *s, struct sb_err *e)
{
    s->state = sb_zeroed_or_die(1, sizeof(struct reading));
    const struct sb_file *f = &s->file[0].map;
    for (uint64_t at = 0; at < f->n;) {
        struct sb_str line = line_at(f, at), text = sb_str_trim(line);
        if (sb_str_starts(text, SB_STR("@meta"))) {
            if (!read_meta(s, text, e))
                return sb_err_in(e, s->file[0].path, at);
        } else if (text.n > 0 && text.p[0] != '#') {
            break;
        }
        at += line.n + 1;
    }
    return true;
}

/* Frames whole lines: a block ends after the line that reaches its size. */
static bool
next_text(struct sb_source *s, struct sb_block *b, struct sb_err *e)
{
    (void)e;
    struct reading *r = s->state;
    while (r->file < s->n_files && r->at >= s->file[r->file].map.n) {
        r->file++;
        r->at = 0;
    }
    if (r->file == s->n_files)
        return false;
    const struct sb_file *f = &s->file[r->file].map;
    *b = (struct sb_block){
        .seq = r->seq++, .file = r->file, .at_byte = r->at, .first_ns = INT64_MIN, .last_ns = INT64_MAX};
    while (r->at < f->n && b->size < BLOCK) {
        struct sb_str line = line_at(f, r->at);
        b->n_events += is_event(line);
        r->at = r->at + line.n + 1 < f->n ? r->at + line.n + 1 : f->n;
        b->size = r->at - b->at_byte;
    }
    return true;
}

static void
keep(struct sb_source *s, struct sb_event ev, struct sb_events *out)
{
    if (s->info.cpu_time)
        ev.flags |= SB_EVF_CPU_TIME;
    if (ev.kind == SB_EV_drop && ev.drop.events != SB_UNKNOWN)
        sb_source_lost(s, ev.drop.class < SB_CLASSES ? (enum sb_class)ev.drop.class : SB_CLASSES,
                       ev.drop.events);
    *SB_PUSH(out) = ev;
}

static void
decode_text(struct sb_source *s, const struct sb_block *b, struct sb_events *out)
{
    const struct sb_file *f = &s->file[b->file].map;
    uint64_t end = b->at_byte + b->size, whole = 0;
    for (uint64_t at = b->at_byte; at < end;) {
        struct sb_str line = line_at(f, at);
        struct sb_event ev;
        struct sb_err e = {0};
        if (is_event(line) && sb_text_read(line, s->names, &ev, &e)) {
            keep(s, ev, out);
            whole += ev.kind != SB_EV_drop; /* a drop is not a record */
        } else if (is_event(line)) {
            sb_source_damaged(s, b->file, at, line.n, "%s", e.what);
        }
        at += line.n + 1;
    }
    __atomic_fetch_add(&s->info.records, whole, __ATOMIC_RELAXED);
    sb_source_done_with(s, b);
}

static void
close_text(struct sb_source *s)
{
    free(s->state);
}
