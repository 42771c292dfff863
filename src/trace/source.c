#include "trace/source_impl.h"
#include "base/order.h"

enum { HEAD = 1 << 20 };

/* In order of probing. The text form is last, since it accepts anything that looks like text. */
static const struct sb_source_format *const formats[] = {&sb_format_sbt, &sb_format_otp, &sb_format_text};

static const struct sb_source_format *
probe(const struct sb_source_file *f)
{
    size_t head = f->map.n < HEAD ? f->map.n : HEAD;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i]->probe(f->map.p, head, f->path))
            return formats[i];
    return NULL;
}

static bool
open_files(struct sb_source *s, const struct sb_wrap_files *w, struct sb_err *e)
{
    s->file = SB_NEW_N(&s->arena, struct sb_source_file, w->n);
    for (size_t i = 0; i < w->n; i++) {
        s->file[i].path = w->path[i];
        SB_TRY(sb_file_open(&s->file[i].map, w->path[i], e));
        s->n_files++;
        s->info.bytes += s->file[i].map.n;
    }
    s->info.n_files = s->n_files;
    return true;
}

/* All files of a set have the same format: that of the first file that a format recognises. */
static bool
choose_format(struct sb_source *s, struct sb_err *e)
{
    for (uint32_t i = 0; i < s->n_files && !s->format; i++)
        if (s->file[i].map.n > 0 || i + 1 == s->n_files)
            s->format = probe(&s->file[i]);
    if (s->format) {
        s->info.format = s->format->name;
        return true;
    }
    sb_err_set(e, SB_ERR_INPUT, "not a trace");
    sb_err_advise(e,
                  "strobe reads its own traces, those of dbg, fprof and Percept2, and traces in text form");
    return sb_err_in(e, s->file[0].path, 0);
}

/* Puts the node's name into the dictionary, where the other modules look it up. */
static void
name_node(struct sb_source *s)
{
    struct sb_str name = s->info.node_name;
    if (name.n && sb_names_node_name(s->names, 0, NULL).n == 0)
        sb_names_set_traced_node(s->names, sb_names_atom(s->names, name), s->info.creation);
}

static bool
open_source(struct sb_source *s, const char *const *paths, size_t n, struct sb_err *e)
{
    struct sb_wrap_files files;
    SB_TRY(sb_wrap_find(paths, n, s->options.wrap_count, &s->arena, &files, e));
    SB_TRY(open_files(s, &files, e));
    SB_TRY(choose_format(s, e));
    SB_TRY(s->format->open(s, e));
    name_node(s);
    if (files.is_wrap && s->format == &sb_format_otp)
        s->info.format = "wrap";
    s->may_have_wrapped = files.may_have_wrapped;
    if (files.has_wrapped)
        sb_source_note(s, SB_SOURCE_WRAPPED,
                       SB_STR("older files of the set were removed, and the events in them are missing"));
    return true;
}

static struct sb_source *
new_source(void)
{
    struct sb_source *s = SB_HEAP(struct sb_source, .info.clock.wall_ns = SB_AT_UNKNOWN);
    pthread_mutex_init(&s->lock, NULL);
    s->names = sb_names_open();
    return s;
}

struct sb_source *
sb_source_make(const struct sb_source_format *f, void *state)
{
    struct sb_source *s = new_source();
    s->format = f;
    s->info.format = f->name;
    s->state = state;
    return s;
}

void *
sb_source_state(const struct sb_source *s)
{
    return s->state;
}

struct sb_source_info *
sb_source_facts(struct sb_source *s)
{
    return &s->info;
}

bool
sb_source_open(struct sb_source **out, const char *const *paths, size_t n, const struct sb_source_options *o,
               struct sb_err *e)
{
    struct sb_source *s = new_source();
    if (o)
        s->options = *o;
    if (!open_source(s, paths, n, e)) {
        sb_source_close(s);
        return false;
    }
    *out = s;
    return true;
}

void
sb_source_scan(struct sb_source *s, struct sb_pool *pool)
{
    if (s->format->scan)
        s->format->scan(s, pool);
}

bool
sb_source_next(struct sb_source *s, struct sb_block *b, struct sb_err *e)
{
    if (e)
        e->code = SB_OK;
    return s->format->next(s, b, e);
}

bool
sb_source_grow(struct sb_source *s, struct sb_source_growth *g, struct sb_err *e)
{
    struct sb_source_file *f = &s->file[0];
    if (!s->format->grow)
        sb_err_set(e, SB_ERR_INPUT, "only a trace of strobe can be analysed while it grows");
    else if (sb_file_grow(&f->map, e)) {
        s->info.bytes = f->map.n;
        s->format->grow(s, g);
        return true;
    }
    return sb_err_in(e, f->path, SB_NO_BYTE);
}

void
sb_source_decode(struct sb_source *s, const struct sb_block *b, struct sb_events *out)
{
    s->format->decode(s, b, out);
}

void
sb_source_quiet(struct sb_source *s, bool quiet)
{
    s->quiet = quiet;
}

struct sb_names *
sb_source_names(struct sb_source *s)
{
    return s->names;
}

const struct sb_source_info *
sb_source_info(const struct sb_source *s)
{
    return &s->info;
}

SB_ORDER(by_place, struct sb_damage, SB_UP(file) ?: SB_UP(at_byte))

bool
sb_source_whole(struct sb_source *s, struct sb_err *e)
{
    struct sb_source_info *info = &s->info;
    if (info->damages == 0 && info->bytes > 0)
        return true;
    if (info->damages == 0) {
        sb_err_set(e, SB_ERR_INPUT, "is empty");
        sb_err_advise(e, "record it again");
        return sb_err_in(e, s->file[0].path, 0);
    }
    SB_SORT(&info->damage, by_place);
    const struct sb_damage *first = &info->damage.at[0];
    sb_err_set(e, SB_ERR_INPUT, "%s", first->what);
    sb_err_advise(e, "%llu records could be read; use those, or record it again",
                  (unsigned long long)info->records);
    return sb_err_in(e, s->file[first->file].path, first->at_byte);
}

void
sb_source_close(struct sb_source *s)
{
    if (!s)
        return;
    if (s->format && s->format->close)
        s->format->close(s);
    for (uint32_t i = 0; i < s->n_files; i++)
        sb_file_close(&s->file[i].map);
    SB_VEC_FREE(&s->info.damage);
    SB_VEC_FREE(&s->info.notes);
    sb_names_close(s->names);
    pthread_mutex_destroy(&s->lock);
    sb_arena_close(&s->arena);
    free(s);
}

bool
sb_source_loses(const struct sb_source_info *info)
{
    bool any = info->lost_any > 0 || info->damages > 0;
    for (unsigned k = 0; k < SB_CLASSES; k++)
        any |= info->lost[k] > 0;
    return any;
}

static bool
has_note(const struct sb_source_info *info, struct sb_str key)
{
    for (size_t i = 0; i < info->notes.n; i++)
        if (sb_str_eq(info->notes.at[i].key, key))
            return true;
    return false;
}

bool
sb_source_unfinished(const struct sb_source_info *info)
{
    return has_note(info, SB_STR(SB_SOURCE_UNFINISHED));
}

bool
sb_source_wrapped(const struct sb_source_info *info)
{
    return has_note(info, SB_STR(SB_SOURCE_WRAPPED));
}

bool
sb_source_may_have_wrapped(const struct sb_source *s)
{
    return s->may_have_wrapped;
}
