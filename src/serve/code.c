#include "serve/code.h"
#include "base/file.h"
#include <ctype.h>
#include <sys/stat.h>

enum { MOST_DEPTH = 12, MOST_FILES = 50000, MOST_BYTES = 4 << 20 };

/* ---- names ---- */

static struct sb_str
unquoted(struct sb_str s)
{
    return s.n >= 2 && s.p[0] == '\'' && s.p[s.n - 1] == '\'' ? sb_str_sub(s, 1, s.n - 2) : s;
}

bool
sb_code_function_parse(struct sb_str text, struct sb_code_function *out)
{
    struct sb_str f = text, m = sb_str_cut(&f, ':');
    while (f.n > 0 && f.p[f.n - 1] != '/')
        f.n--;
    if (m.n == 0 || f.n < 2)
        return false;
    f = unquoted(sb_str_sub(f, 0, f.n - 1));
    if (f.p[0] == '-') { /* -total/1-fun-0- is part of total/1 */
        f = sb_str_sub(f, 1, f.n);
        f.n = sb_str_find(f, '/');
    }
    *out = (struct sb_code_function){unquoted(m), f};
    return out->function.n > 0;
}

/* ---- lines ---- */

static bool
starts_function(struct sb_str line, struct sb_str function, bool elixir)
{
    if (elixir) {
        line = sb_str_trim(line);
        struct sb_str word = sb_str_cut(&line, ' ');
        if (!sb_str_starts(word, SB_STR("def")))
            return false;
        line = sb_str_trim(line);
    }
    if (!sb_str_starts(line, function))
        return false;
    char next = line.n > function.n ? line.p[function.n] : ' ';
    return elixir ? !isalnum((unsigned char)next) && next != '_' : next == '(';
}

/* Whether a line above a function belongs to it. */
static bool
introduces(struct sb_str line, bool elixir)
{
    line = sb_str_trim(line);
    if (elixir)
        return sb_str_starts(line, SB_STR("@")) || sb_str_starts(line, SB_STR("#"));
    return sb_str_starts(line, SB_STR("%")) || sb_str_starts(line, SB_STR("-spec")) ||
           sb_str_starts(line, SB_STR("-doc"));
}

/* Whether a line without indentation ends the function: it is no clause of it. */
static bool
begins_another(struct sb_str line, struct sb_str function, bool elixir)
{
    struct sb_str trimmed = sb_str_trim(line);
    if (elixir)
        return (sb_str_starts(trimmed, SB_STR("def")) || sb_str_starts(trimmed, SB_STR("@"))) &&
               !starts_function(line, function, true);
    return line.n > 0 && (islower((unsigned char)line.p[0]) || line.p[0] == '-' || line.p[0] == '%') &&
           !starts_function(line, function, false);
}

struct sb_str
sb_code_cut(struct sb_str text, struct sb_str function, bool elixir, int64_t *first_line)
{
    struct sb_str rest = text;
    const char *above = NULL, *start = NULL, *end = NULL;
    int64_t number = 0, above_number = 0;
    while (rest.n > 0) {
        const char *at = rest.p;
        struct sb_str line = sb_str_cut(&rest, '\n');
        number++;
        if (!start && starts_function(line, function, elixir)) {
            start = above ? above : at;
            *first_line = above ? above_number : number;
        } else if (start && begins_another(line, function, elixir))
            break;
        if (!start && !introduces(line, elixir))
            above = NULL;
        else if (!start && !above) {
            above = at;
            above_number = number;
        }
        if (start && sb_str_trim(line).n > 0)
            end = line.p + line.n;
    }
    return start ? (struct sb_str){start, (size_t)(end - start)} : (struct sb_str){0};
}

/* ---- files ---- */

struct search {
    const struct sb_code_function *f;
    struct sb_str file_name; /* prices.erl; empty for Elixir, whose files may have any name */
    struct sb_str defmodule;
    struct sb_arena *arena;
    struct sb_code *out;
    unsigned looked_at;
};

static bool
take(struct search *s, const char *path, struct sb_str below)
{
    struct sb_file file;
    struct sb_err e;
    bool elixir = s->file_name.n == 0;
    if (!sb_file_open(&file, path, &e))
        return false;
    struct sb_str text = {(const char *)file.p, file.n < MOST_BYTES ? file.n : MOST_BYTES};
    if (!elixir || (text.n > 0 && memmem(text.p, text.n, s->defmodule.p, s->defmodule.n))) {
        struct sb_str cut = sb_code_cut(text, s->f->function, elixir, &s->out->first_line);
        if (cut.n > 0) {
            s->out->text = sb_arena_str(s->arena, cut);
            s->out->file = sb_arena_str(s->arena, below);
        }
    }
    sb_file_close(&file);
    return s->out->text.n > 0;
}

static bool
fits(const struct search *s, struct sb_str name)
{
    return s->file_name.n > 0 ? sb_str_eq(name, s->file_name)
                              : sb_str_ends(name, SB_STR(".ex")) || sb_str_ends(name, SB_STR(".exs"));
}

/* Symbolic links are not followed, so no file outside of the folder is read. */
static bool
walk(struct search *s, const char *folder, size_t root, unsigned depth)
{
    SB_SCOPED_DIR DIR *d = opendir(folder);
    bool found = false;
    for (struct dirent *e; d && !found && s->looked_at < MOST_FILES && (e = readdir(d));) {
        struct stat st;
        char path[4096];
        if (e->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path ||
            lstat(path, &st) != 0)
            continue;
        s->looked_at++;
        if (S_ISDIR(st.st_mode))
            found = depth < MOST_DEPTH && walk(s, path, root, depth + 1);
        else if (S_ISREG(st.st_mode) && fits(s, sb_str_of(e->d_name)))
            found = take(s, path, sb_str_of(path + root + 1));
    }
    return found;
}

void
sb_code_find(const char *const *folder, size_t n, const struct sb_code_function *f, struct sb_arena *a,
             struct sb_code *out)
{
    struct search s = {.f = f, .arena = a, .out = out};
    struct sb_str elixir = SB_STR("Elixir.");
    *out = (struct sb_code){0};
    if (sb_str_starts(f->module, elixir))
        s.defmodule =
            sb_arena_printf(a, "defmodule %.*s do", (int)(f->module.n - elixir.n), f->module.p + elixir.n);
    else
        s.file_name = sb_arena_printf(a, "%.*s.erl", SB_STR_ARG(f->module));
    for (size_t i = 0; i < n; i++)
        if (walk(&s, folder[i], strlen(folder[i]), 0))
            return;
}
