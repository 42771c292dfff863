#include "live/drain/waits.h"
#include "base/intern.h"
#include "base/map.h"
#include "live/drain/beam_code.h"
#include "trace/sbt/wire_event.h"
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NEVER, WAITS, BOTH };
enum { BEAM_MAX = 1 << 28 };

struct function {
    uint32_t module, name, arity; /* ids of texts */
    int kind;                     /* -1: unknown */
    bool is_fun;                  /* arity is its index; name is its name, once known */
    bool is_named;                /* the dictionary has the name of this fun */
    uint32_t fun_arity, module_atom;
};

struct finder {
    struct sb_arena arena;
    struct sb_intern text;
    SB_VEC(uint32_t) atom; /* maps ids of the dictionary to texts */
    SB_VEC(struct function) function;
    SB_VEC(const char *) folder;
    SB_VEC(uint8_t) file; /* the current .beam file */
    struct sb_map place;  /* module, name, arity -> function */
    uint32_t module;      /* the module of that file */
};

static uint64_t
key_of(uint32_t module, uint32_t name, uint32_t arity)
{
    return (uint64_t)module << 40 ^ (uint64_t)name << 8 ^ arity;
}

/* ---- reading the dictionary */

static void
add_folders(struct finder *f, struct sb_str lines)
{
    while (lines.n > 0)
        *SB_PUSH(&f->folder) = sb_arena_str(&f->arena, sb_str_cut(&lines, '\n')).p;
}

static void
take_entry(struct finder *f, const struct sb_dict_entry *e, struct sb_str bytes)
{
    if (e->kind == SB_DICT_ATOM)
        *SB_PUSH(&f->atom) = sb_intern_put(&f->text, bytes);
    else if (e->kind == SB_DICT_MFA && e->a < f->atom.n && e->b < f->atom.n) {
        struct function x = {f->atom.at[e->a], f->atom.at[e->b], e->arity, -1};
        bool is_new;
        *sb_map_put(&f->place, key_of(x.module, x.name, x.arity), &is_new) = (uint32_t)f->function.n;
        *SB_PUSH(&f->function) = x;
    } else if (e->kind == SB_DICT_MFA)
        *SB_PUSH(&f->function) = (struct function){.kind = -1};
    else if (e->kind == SB_DICT_FUN)
        *SB_PUSH(&f->function) = (struct function){.module = e->a < f->atom.n ? f->atom.at[e->a] : 0,
                                                   .arity = e->b,
                                                   .kind = -1,
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

static void
take_dictionary(struct finder *f, const uint8_t *p, uint64_t n)
{
    *SB_PUSH(&f->atom) = 0;
    *SB_PUSH(&f->function) = (struct function){.kind = -1}; /* ids count from 1 */
    struct sb_dict_entry e;
    for (uint64_t at = 0; n - at >= sizeof e && at < n; at += sb_dict_entry_bytes(e.n)) {
        memcpy(&e, p + at, sizeof e);
        if (sb_dict_entry_bytes(e.n) > n - at)
            return;
        take_entry(f, &e, (struct sb_str){(const char *)p + at + sizeof e, e.n});
    }
}

/* Adds the usual folders of a project's code, for modules that were not on the path when the recording
 * began. */
static void
guess_folders(struct finder *f, const char *cwd)
{
    static const char *const likely[] = {"", "/ebin", "/_build/*/lib/*/ebin", "/_build/*/checkouts/*/ebin"};
    for (unsigned i = 0; i < sizeof likely / sizeof *likely; i++) {
        glob_t g;
        if (glob(sb_arena_printf(&f->arena, "%s%s", cwd, likely[i]).p, 0, NULL, &g) == 0)
            for (size_t k = 0; k < g.gl_pathc; k++)
                *SB_PUSH(&f->folder) = sb_arena_str(&f->arena, sb_str_of(g.gl_pathv[k])).p;
        globfree(&g);
    }
}

/* ---- reading the .beam files */

static void
set_waits(void *ctx, struct sb_str name, uint32_t arity, bool waits)
{
    struct finder *f = ctx;
    uint32_t text;
    if (!sb_intern_find(&f->text, name, &text))
        return;
    uint32_t *at = sb_map_get(&f->place, key_of(f->module, text, arity));
    if (at)
        f->function.at[*at].kind = waits ? WAITS : NEVER;
}

static void
set_fun(void *ctx, uint32_t index, struct sb_str name, uint32_t arity)
{
    struct finder *f = ctx;
    for (size_t i = 1; i < f->function.n; i++) {
        struct function *x = &f->function.at[i];
        if (x->is_fun && x->module == f->module && x->arity == index) {
            x->name = sb_intern_put(&f->text, name);
            x->fun_arity = arity;
        }
    }
}

/* Reads the file, without mapping it: a compiler may be rewriting it, and a drain inside a node must
 * survive that. */
static bool
read_file(struct finder *f, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    f->file.n = 0;
    if (fd < 0)
        return false;
    bool fine = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= BEAM_MAX;
    if (fine)
        SB_RESERVE(&f->file, (size_t)st.st_size);
    for (ssize_t n = 1; fine && n > 0 && f->file.n<(size_t)st.st_size; f->file.n += n> 0 ? (size_t)n : 0)
        n = read(fd, f->file.at + f->file.n, (size_t)st.st_size - f->file.n);
    close(fd);
    return fine;
}

/* Looks in the folders whose path contains `within`. */
static bool
read_module(struct finder *f, uint32_t module, const char *within)
{
    struct sb_str name = sb_intern_text(&f->text, module);
    for (size_t i = 0; i < f->folder.n && name.n > 0 && !memchr(name.p, '/', name.n); i++) {
        char path[4096];
        if (!strstr(f->folder.at[i], within))
            continue;
        snprintf(path, sizeof path, "%s/%.*s.beam", f->folder.at[i], SB_STR_ARG(name));
        if (!read_file(f, path))
            continue;
        f->module = module;
        return sb_beam_scan(f->file.at, f->file.n, set_waits, set_fun, f);
    }
    return false;
}

/* The code of preloaded modules is in the emulator: a file of that name elsewhere than in its folder is another module,
 * and a release has no files of them. Returns false for other modules. */
static bool
read_preloaded(struct finder *f, uint32_t module)
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
        if (!known && read_module(f, module, "/erts-"))
            return true;
        known = true;
        f->module = module;
        if (row[i].name.n > 0)
            set_waits(f, row[i].name, row[i].arity, true);
    }
    return known;
}

/* Returns the kind of a function that the VM implements. Such functions have no code in the file, or a
 * stub that fails. They yield, and only the ones listed here can wait. */
static int
built_in(const struct finder *f, const struct function *x)
{
    struct sb_str module = sb_intern_text(&f->text, x->module), name = sb_intern_text(&f->text, x->name);
    if (sb_str_eq(module, SB_STR("erlang")) && sb_str_eq(name, SB_STR("hibernate")))
        return WAITS;
    if (sb_str_eq(module, SB_STR("erlang")) && sb_str_eq(name, SB_STR("bif_return_trap")))
        return BOTH;
    return x->kind < 0 ? NEVER : x->kind;
}

static void
read_modules(struct finder *f)
{
    struct sb_map done = {0};
    for (size_t i = 1; i < f->function.n; i++) {
        struct function *x = &f->function.at[i];
        bool is_new;
        uint32_t *found = sb_map_put(&done, x->module, &is_new);
        if (is_new)
            *found = read_preloaded(f, x->module) || read_module(f, x->module, "");
        if (*found && !x->is_fun)
            x->kind = built_in(f, x);
    }
    sb_map_close(&done);
}

static void
write_records(struct sb_waits *w, const struct finder *f)
{
    for (size_t i = 1; i < f->function.n; i++) {
        if (f->function.at[i].kind < 0)
            continue;
        SB_RESERVE(&w->records, SB_WIRE_RECORD_MAX);
        uint8_t *p = w->records.at + w->records.n;
        *p++ = SB_EV_waits | SB_WIRE_SAME;
        *p++ = 0; /* no time since the previous record */
        p = sb_wire_put_waits(
            p, NULL, (struct sb_wire_waits){.mfa = (uint32_t)i, .kind = (uint32_t)f->function.at[i].kind});
        w->records.n = (size_t)(p - w->records.at);
        w->events++;
    }
}

static void
write_names(struct sb_waits *w, const struct finder *f)
{
    for (size_t i = 1; i < f->function.n; i++) {
        const struct function *x = &f->function.at[i];
        struct sb_str name = sb_intern_text(&f->text, x->name);
        if (!x->is_fun || x->is_named || name.n == 0 || name.n > UINT16_MAX || x->fun_arity > 255)
            continue;
        struct sb_dict_entry e = {.kind = SB_DICT_FUN_NAME,
                                  .arity = (uint8_t)x->fun_arity,
                                  .n = (uint16_t)name.n,
                                  .a = (uint32_t)i,
                                  .b = x->module_atom};
        SB_RESERVE(&w->names, sb_dict_entry_bytes(e.n));
        uint8_t *p = w->names.at + w->names.n;
        memset(p, 0, sb_dict_entry_bytes(e.n));
        memcpy(p, &e, sizeof e);
        memcpy(p + sizeof e, name.p, name.n);
        w->names.n += sb_dict_entry_bytes(e.n);
    }
}

void
sb_waits_find(struct sb_waits *w, const uint8_t *dict, uint64_t n, const char *cwd)
{
    struct finder f = {0};
    sb_arena_init(&f.arena);
    sb_intern_init(&f.text);
    take_dictionary(&f, dict, n);
    if (cwd)
        guess_folders(&f, cwd);
    read_modules(&f);
    write_records(w, &f);
    write_names(w, &f);
    SB_VEC_FREE(&f.atom);
    SB_VEC_FREE(&f.function);
    SB_VEC_FREE(&f.folder);
    SB_VEC_FREE(&f.file);
    sb_map_close(&f.place);
    sb_intern_close(&f.text);
    sb_arena_close(&f.arena);
}
