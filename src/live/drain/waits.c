#include "live/drain/waits.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/map.h"
#include "live/drain/beam_code.h"
#include "trace/sbt/wire_event.h"
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NEVER, WAITS, BOTH };
enum { NOT_FOUND, FOUND, GIVEN_UP }; /* the code of a module; given up: it was looked for again at the end */
enum { BEAM_MAX = 1 << 28 };

struct function {                 /* of the dictionary */
    uint32_t module, name, arity; /* ids of texts; of a fun arity is its index */
    bool is_fun;
    bool is_named; /* the dictionary has the name of this fun */
    bool is_done;  /* all is stated that is known about it */
    uint32_t module_atom;
    uint32_t frame; /* the first of samples of the CPU with it; 0: it is of the dictionary */
};
struct code {                  /* of a function */
    uint32_t kind, file, line; /* file: a text; line 0: unknown */
};
struct fun { /* of a .beam file */
    uint32_t name, arity;
};

struct sb_waits_finder {
    const char *cwd; /* NULL: unknown */
    struct sb_arena arena;
    struct sb_intern text;
    SB_VEC(uint32_t) atom; /* maps ids of the dictionary to texts */
    SB_VEC(struct function) function;
    SB_VEC(const char *) folder;
    SB_VEC(uint8_t) file;  /* the current .beam file */
    struct sb_map is_read; /* module -> whether its code was found */
    struct sb_map code_of; /* module, name, arity -> index in code, of all functions of these modules */
    struct sb_map fun_of;  /* module, index -> index in fun */
    SB_VEC(struct code) code;
    SB_VEC(struct fun) fun;
    SB_VEC(struct function) sampled;
    uint32_t module;           /* the module of that file */
    uint64_t dict_bytes;       /* of the dictionary, taken so far */
    size_t next, next_sampled; /* the functions to look at next */
    bool has_guessed;          /* the usual folders of a project are among `folder` */
};

static uint64_t
key_of(uint32_t module, uint32_t name, uint32_t arity)
{
    return (uint64_t)module << 40 ^ (uint64_t)name << 8 ^ arity;
}

/* ---- reading the dictionary */

static void
add_folders(struct sb_waits_finder *f, struct sb_str lines)
{
    while (lines.n > 0)
        *SB_PUSH(&f->folder) = sb_arena_str(&f->arena, sb_str_cut(&lines, '\n')).p;
}

static void
take_entry(struct sb_waits_finder *f, const struct sb_dict_entry *e, struct sb_str bytes)
{
    if (e->kind == SB_DICT_ATOM)
        *SB_PUSH(&f->atom) = sb_intern_put(&f->text, bytes);
    else if (e->kind == SB_DICT_MFA && e->a < f->atom.n && e->b < f->atom.n) {
        *SB_PUSH(&f->function) =
            (struct function){.module = f->atom.at[e->a], .name = f->atom.at[e->b], .arity = e->arity};
    } else if (e->kind == SB_DICT_MFA)
        *SB_PUSH(&f->function) = (struct function){.is_done = true};
    else if (e->kind == SB_DICT_FUN)
        *SB_PUSH(&f->function) = (struct function){.module = e->a < f->atom.n ? f->atom.at[e->a] : 0,
                                                   .arity = e->b,
                                                   .is_fun = true,
                                                   .module_atom = e->a};
    else if (e->kind == SB_DICT_FUN_NAME && e->a < f->function.n)
        f->function.at[e->a].is_named = true;
    else if (e->kind == SB_DICT_NOTE) {
        struct sb_str value = bytes, key = sb_str_cut(&value, '\0');
        if (sb_str_eq(key, SB_STR("code_path")))
            add_folders(f, value);
    }
}

void
sb_waits_dictionary(struct sb_waits_finder *f, const uint8_t *dict, uint64_t n)
{
    struct sb_dict_entry e;
    while (n - f->dict_bytes >= sizeof e && f->dict_bytes < n) {
        const uint8_t *p = dict + f->dict_bytes;
        memcpy(&e, p, sizeof e);
        if (sb_dict_entry_bytes(e.n) > n - f->dict_bytes)
            return;
        take_entry(f, &e, (struct sb_str){(const char *)p + sizeof e, e.n});
        f->dict_bytes += sb_dict_entry_bytes(e.n);
    }
}

/* Adds the usual folders of a project's code, for modules that were not on the path when the recording
 * began. */
static void
guess_folders(struct sb_waits_finder *f)
{
    static const char *const likely[] = {"", "/ebin", "/_build/*/lib/*/ebin", "/_build/*/checkouts/*/ebin"};
    for (unsigned i = 0; i < sizeof likely / sizeof *likely; i++) {
        glob_t g;
        if (glob(sb_arena_printf(&f->arena, "%s%s", f->cwd, likely[i]).p, 0, NULL, &g) == 0)
            for (size_t k = 0; k < g.gl_pathc; k++)
                *SB_PUSH(&f->folder) = sb_arena_str(&f->arena, sb_str_of(g.gl_pathv[k])).p;
        globfree(&g);
    }
    f->has_guessed = true;
}

/* ---- reading the .beam files */

static void
set_code(void *ctx, const struct sb_beam_code *c)
{
    struct sb_waits_finder *f = ctx;
    uint64_t key = key_of(f->module, sb_intern_put(&f->text, c->name), c->arity);
    struct sb_str file = c->file;
    if (file.n == 0 && c->line > 0)
        file = sb_arena_printf(&f->arena, "%.*s.erl", SB_STR_ARG(sb_intern_text(&f->text, f->module)));
    *sb_map_put(&f->code_of, key, NULL) = (uint32_t)f->code.n;
    *SB_PUSH(&f->code) = (struct code){c->waits ? WAITS : NEVER, sb_intern_put(&f->text, file), c->line};
}

static void
set_fun(void *ctx, uint32_t index, struct sb_str name, uint32_t arity)
{
    struct sb_waits_finder *f = ctx;
    *sb_map_put(&f->fun_of, key_of(f->module, 0, 0) ^ index, NULL) = (uint32_t)f->fun.n;
    *SB_PUSH(&f->fun) = (struct fun){sb_intern_put(&f->text, name), arity};
}

/* Reads the file, without mapping it: a compiler may be rewriting it, and a drain inside a node must
 * survive that. */
static bool
read_file(struct sb_waits_finder *f, const char *path)
{
    SB_SCOPED_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    f->file.n = 0;
    if (fd < 0)
        return false;
    bool fine = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= BEAM_MAX;
    if (fine)
        SB_RESERVE(&f->file, (size_t)st.st_size);
    for (ssize_t n = 1; fine && n > 0 && f->file.n<(size_t)st.st_size; f->file.n += n> 0 ? (size_t)n : 0)
        n = read(fd, f->file.at + f->file.n, (size_t)st.st_size - f->file.n);
    return fine;
}

/* Looks in the folders from one on whose path contains `within`. */
static bool
read_module(struct sb_waits_finder *f, uint32_t module, const char *within, size_t from)
{
    struct sb_str name = sb_intern_text(&f->text, module);
    for (size_t i = from; i < f->folder.n && name.n > 0 && !memchr(name.p, '/', name.n); i++) {
        char path[4096];
        if (!strstr(f->folder.at[i], within))
            continue;
        snprintf(path, sizeof path, "%s/%.*s.beam", f->folder.at[i], SB_STR_ARG(name));
        if (!read_file(f, path))
            continue;
        f->module = module;
        return sb_beam_scan(f->file.at, f->file.n, set_code, set_fun, f);
    }
    return false;
}

/* The code of preloaded modules is in the emulator: a file of that name elsewhere than in its folder is another module,
 * and a release has no files of them. Returns false for other modules. */
static bool
read_preloaded(struct sb_waits_finder *f, uint32_t module)
{
    static const struct {
        struct sb_str module, name;
        uint8_t arity;
    } row[] = {
#define PRELOADED(m) {SB_STR(m), {0}, 0},
#define WAITS(m, f, a) {SB_STR(m), SB_STR(f), a},
#include "live/drain/preloaded.def"
#undef WAITS
#undef PRELOADED
    };
    struct sb_str text = sb_intern_text(&f->text, module);
    bool known = false;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (!sb_str_eq(row[i].module, text))
            continue;
        if (!known && read_module(f, module, "/erts-", 0))
            return true;
        known = true;
        f->module = module;
        if (row[i].name.n > 0)
            set_code(f, &(struct sb_beam_code){.name = row[i].name, .arity = row[i].arity, .waits = true});
    }
    return known;
}

/* A module may be compiled during the recording, so where none was found the folders are guessed again at the end. */
static bool
find_code(struct sb_waits_finder *f, uint32_t module, bool last)
{
    if (read_preloaded(f, module) || read_module(f, module, "", 0))
        return true;
    size_t known = f->folder.n;
    if (f->cwd && (last || !f->has_guessed))
        guess_folders(f);
    return read_module(f, module, "", known);
}

/* Returns what is known of a function whose module was found. Those that the VM implements have no code in the file, or
 * a stub that fails. They yield, and only the ones listed here can wait. */
static struct code
code_of(const struct sb_waits_finder *f, const struct function *x)
{
    struct sb_str module = sb_intern_text(&f->text, x->module), name = sb_intern_text(&f->text, x->name);
    if (sb_str_eq(module, SB_STR("erlang")) && sb_str_eq(name, SB_STR("hibernate")))
        return (struct code){.kind = WAITS};
    if (sb_str_eq(module, SB_STR("erlang")) && sb_str_eq(name, SB_STR("bif_return_trap")))
        return (struct code){.kind = BOTH};
    const uint32_t *at = sb_map_get(&f->code_of, key_of(x->module, x->name, x->arity));
    return at ? f->code.at[*at] : (struct code){.kind = NEVER};
}

static struct sb_wire_text
text_of(const struct sb_waits_finder *f, uint32_t text)
{
    struct sb_str s = sb_intern_text(&f->text, text);
    return (struct sb_wire_text){s.p, s.n < SB_WIRE_TEXT_MAX ? s.n : SB_WIRE_TEXT_MAX};
}

/* `id`: of the dictionary. A function that only samples show has none. */
static void
write_record(struct sb_waits *w, const struct sb_waits_finder *f, const struct function *x, uint32_t id)
{
    struct code c = code_of(f, x);
    struct sb_wire_text file = text_of(f, c.line > 0 ? c.file : 0);
    if (x->frame && c.line == 0)
        return;
    uint8_t *p = sb_made_begin(&w->made, x->frame ? SB_EV_place : SB_EV_waits, 0);
    w->places += x->frame > 0;
    if (x->frame)
        p = sb_wire_put_place(p, NULL,
                              (struct sb_wire_place){.frame = x->frame, .file = file, .line = c.line});
    else
        p = sb_wire_put_waits(
            p, NULL, (struct sb_wire_waits){.mfa = id, .kind = c.kind, .file = file, .line = c.line});
    sb_made_end(&w->made, p);
}

static void
write_name(struct sb_waits *w, const struct sb_waits_finder *f, const struct function *x, uint32_t id)
{
    const uint32_t *fun = sb_map_get(&f->fun_of, key_of(x->module, 0, 0) ^ x->arity);
    struct sb_str name = fun ? sb_intern_text(&f->text, f->fun.at[*fun].name) : (struct sb_str){0};
    if (x->is_named || name.n == 0 || name.n > UINT16_MAX || f->fun.at[*fun].arity > 255)
        return;
    struct sb_dict_entry e = {.kind = SB_DICT_FUN_NAME,
                              .arity = (uint8_t)f->fun.at[*fun].arity,
                              .n = (uint16_t)name.n,
                              .a = id,
                              .b = x->module_atom};
    SB_RESERVE(&w->names, sb_dict_entry_bytes(e.n));
    uint8_t *p = w->names.at + w->names.n;
    memset(p, 0, sb_dict_entry_bytes(e.n));
    memcpy(p, &e, sizeof e);
    memcpy(p + sizeof e, name.p, name.n);
    w->names.n += sb_dict_entry_bytes(e.n);
}

/* Returns whether the code of its module was read for it. */
static bool
look_at(struct sb_waits_finder *f, struct function *x, uint32_t id, bool last, struct sb_waits *w)
{
    bool is_new;
    uint32_t *found = sb_map_put(&f->is_read, x->module, &is_new);
    bool reads = is_new || (last && *found == NOT_FOUND);
    if (reads)
        *found = find_code(f, x->module, last) ? FOUND : last ? GIVEN_UP : NOT_FOUND;
    x->is_done = *found == FOUND;
    if (*found == FOUND && x->is_fun)
        write_name(w, f, x, id);
    else if (*found == FOUND)
        write_record(w, f, x, id);
    return reads;
}

/* Removes an atom from the front, which the VM writes in quotes where they are needed. */
static uint32_t
cut_atom(struct sb_waits_finder *f, struct sb_str *text)
{
    char plain[256 * 4]; /* an atom has 255 characters */
    size_t n = 0, at = 0;
    bool quoted = text->n > 0 && text->p[0] == '\'';
    for (at = quoted; at < text->n && n < sizeof plain; at++) {
        bool escapes = quoted && text->p[at] == '\\' && at + 1 < text->n;
        if (!escapes && (quoted ? text->p[at] == '\'' : text->p[at] == ':' || text->p[at] == '/'))
            break;
        at += escapes;
        plain[n++] = text->p[at];
    }
    *text = sb_str_sub(*text, at + quoted, text->n);
    return sb_intern_put(&f->text, (struct sb_str){plain, n});
}

void
sb_waits_sampled(struct sb_waits_finder *f, struct sb_str name, uint32_t frame)
{
    uint64_t arity;
    uint32_t module = cut_atom(f, &name);
    if (!sb_str_starts(name, SB_STR(":")))
        return;
    name = sb_str_sub(name, 1, name.n);
    uint32_t function = cut_atom(f, &name);
    if (sb_str_starts(name, SB_STR("/")) && sb_str_to_u64(sb_str_sub(name, 1, name.n), &arity) && arity < 256)
        *SB_PUSH(&f->sampled) =
            (struct function){.module = module, .name = function, .arity = (uint32_t)arity, .frame = frame};
}

bool
sb_waits_step(struct sb_waits_finder *f, struct sb_waits *w)
{
    bool has_read = false;
    while (f->next < f->function.n && !has_read) {
        uint32_t id = (uint32_t)f->next++;
        has_read = !f->function.at[id].is_done && look_at(f, &f->function.at[id], id, false, w);
    }
    while (f->next_sampled < f->sampled.n && !has_read)
        has_read = look_at(f, &f->sampled.at[f->next_sampled++], 0, false, w);
    w->stated = (uint32_t)f->next - 1;
    return f->next < f->function.n || f->next_sampled < f->sampled.n;
}

void
sb_waits_last(struct sb_waits_finder *f, struct sb_waits *w)
{
    while (sb_waits_step(f, w))
        ;
    for (size_t id = 1; id < f->function.n; id++)
        if (!f->function.at[id].is_done)
            look_at(f, &f->function.at[id], (uint32_t)id, true, w);
    for (size_t i = 0; i < f->sampled.n; i++)
        if (!f->sampled.at[i].is_done)
            look_at(f, &f->sampled.at[i], 0, true, w);
}

struct sb_waits_finder *
sb_wait_finder_open(const char *cwd)
{
    struct sb_waits_finder *f = sb_realloc_or_die(NULL, sizeof *f);
    *f = (struct sb_waits_finder){.next = 1};
    sb_intern_init(&f->text);
    f->cwd = cwd && *cwd ? sb_arena_str(&f->arena, sb_str_of(cwd)).p : NULL;
    *SB_PUSH(&f->atom) = 0;
    *SB_PUSH(&f->function) = (struct function){.is_done = true}; /* ids count from 1 */
    return f;
}

void
sb_wait_finder_close(struct sb_waits_finder *f)
{
    if (!f)
        return;
    SB_VEC_FREE(&f->atom);
    SB_VEC_FREE(&f->function);
    SB_VEC_FREE(&f->folder);
    SB_VEC_FREE(&f->file);
    SB_VEC_FREE(&f->fun);
    SB_VEC_FREE(&f->code);
    SB_VEC_FREE(&f->sampled);
    sb_map_close(&f->is_read);
    sb_map_close(&f->code_of);
    sb_map_close(&f->fun_of);
    sb_intern_close(&f->text);
    sb_arena_close(&f->arena);
    free(f);
}

void
sb_waits_find(struct sb_waits *w, const uint8_t *dict, uint64_t n, const char *cwd)
{
    struct sb_waits_finder *f = sb_wait_finder_open(cwd);
    sb_waits_dictionary(f, dict, n);
    sb_waits_last(f, w);
    sb_wait_finder_close(f);
}
