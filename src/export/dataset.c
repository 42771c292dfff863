#include "export/dataset.h"
#include "base/date.h"
#include "base/temporary.h"
#include "base/utf8.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARKER "_strobe_dataset"
#define MARKER_START "strobe dataset, schema "
#define UNKNOWN "__HIVE_DEFAULT_PARTITION__" /* reads as NULL */
enum { NAME_BYTES = 255 };                   /* of a folder, in every file system */

extern const struct sb_exporter sb_export_parquet;

/* ---- labels */

static bool
is_word(struct sb_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i] | 32;
        if (!(c >= 'a' && c <= 'z') && s.p[i] != '_' && (i == 0 || s.p[i] < '0' || s.p[i] > '9'))
            return false;
    }
    return s.n > 0;
}

static bool
is_same(struct sb_str key, const char *name) /* SQL does not tell case apart */
{
    return strlen(name) == key.n && strncasecmp(key.p, name, key.n) == 0;
}

/* The table with a column of that name, or NULL: the label would hide the column. */
static const char *
table_with(struct sb_str key)
{
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (unsigned c = 0; c < sb_schema[t].n_columns; c++)
            if (is_same(key, sb_dataset_column(sb_schema[t].column[c].name)))
                return sb_schema[t].name;
    return NULL;
}

static bool
is_text(struct sb_str s)
{
    for (size_t step; s.n > 0; s = sb_str_sub(s, step, s.n)) {
        uint32_t c;
        if ((step = sb_utf8_get(s.p, s.n, &c)) == 0)
            return false;
    }
    return true;
}

static bool
check_label(const struct sb_dataset *d, size_t i, struct sb_err *e)
{
    struct sb_str value = sb_str_of(d->label[i]), key = sb_str_cut(&value, '=');
    const char *table = table_with(key);
    if (!is_word(key) || value.n == 0)
        return sb_err_set(e, SB_ERR_USAGE,
                          "--label takes KEY=VALUE, such as service=shop, and KEY is a word, not '%s'",
                          d->label[i]);
    if (!is_text(value))
        return sb_err_set(e, SB_ERR_USAGE, "the value of --label %.*s is no UTF-8 text", SB_STR_ARG(key));
    if (is_same(value, UNKNOWN))
        return sb_err_set(e, SB_ERR_USAGE, "the value of --label %.*s would read as NULL", SB_STR_ARG(key));
    if (is_same(key, "date") || is_same(key, "node") || is_same(key, "run"))
        return sb_err_set(e, SB_ERR_USAGE, "each partition has a %.*s already: name the label otherwise",
                          SB_STR_ARG(key));
    if (table)
        return sb_err_set(e, SB_ERR_USAGE,
                          "the label '%.*s' would hide a column of table %s: name it otherwise",
                          SB_STR_ARG(key), table);
    for (size_t k = 0; k < i; k++) {
        struct sb_str other = sb_str_of(d->label[k]);
        if (strncasecmp(other.p, key.p, key.n + 1) == 0)
            return sb_err_set(e, SB_ERR_USAGE, "the label '%.*s' is given twice", SB_STR_ARG(key));
    }
    return true;
}

/* ---- the place of a partition */

/* As Hive writes it: %2F for a slash. */
static struct sb_str
escaped(struct sb_str s, struct sb_arena *a)
{
    char *to = sb_arena_alloc(a, 3 * s.n + 1, 1);
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        uint8_t c = (uint8_t)s.p[i];
        if (c < ' ' || c == 0x7f || strchr("\"#%'*/:=?\\{[]^", c))
            n += (size_t)sprintf(to + n, "%%%02X", c);
        else
            to[n++] = (char)c;
    }
    return (struct sb_str){to, n};
}

/* path/KEY=VALUE */
static bool
enter(const char **path, struct sb_str key, struct sb_str value, struct sb_arena *a, struct sb_err *e)
{
    struct sb_str name = sb_arena_printf(a, "%.*s=%.*s", SB_STR_ARG(key), SB_STR_ARG(value));
    if (name.n > NAME_BYTES)
        return sb_err_set(e, SB_ERR_USAGE, "the name of the folder %.*s=... would have more than %d bytes",
                          SB_STR_ARG(key), NAME_BYTES);
    *path = sb_arena_printf(a, "%s/%s", *path, name.p).p;
    return true;
}

/* The node of a profile; of several the first one and how many more. */
static struct sb_str
node_name(const struct sb_profile *p, struct sb_arena *a)
{
    struct sb_str name = sb_profile_text(p, SB_CELL(p, node, name, 0));
    uint64_t n = sb_profile_rows(p, SB_T_node);
    if (name.n == 0)
        return SB_STR(UNKNOWN);
    name = escaped(name, a);
    return n > 1 ? sb_arena_printf(a, "%.*s+%llu", SB_STR_ARG(name), (unsigned long long)n - 1) : name;
}

static bool
place(const struct sb_dataset *d, const struct sb_profile *p, struct sb_arena *a,
      struct sb_dataset_partition *out, struct sb_err *e)
{
    char date[SB_DATE];
    *out = (struct sb_dataset_partition){.path = d->folder, .is_dated = sb_date(sb_profile_wall_ns(p), date)};
    for (size_t i = 0; i < d->n_labels; i++) {
        struct sb_str value = sb_str_of(d->label[i]), key = sb_str_cut(&value, '=');
        SB_TRY(enter(&out->path, key, escaped(value, a), a, e));
    }
    struct sb_str day = out->is_dated ? (struct sb_str){date, SB_DATE_DAY} : SB_STR(UNKNOWN);
    return enter(&out->path, SB_STR("date"), day, a, e) &&
           enter(&out->path, SB_STR("node"), node_name(p, a), a, e) &&
           enter(&out->path, SB_STR("run"),
                 sb_arena_printf(a, "r%016llx", (unsigned long long)sb_profile_hash(p)), a, e);
}

/* ---- the folder of the dataset */

static bool
fail_at(const char *doing, const char *path, struct sb_err *e)
{
    sb_err_errno(e, doing);
    return sb_err_in(e, path, SB_NO_BYTE);
}

static bool
make_folder(const char *path, struct sb_err *e)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST || fail_at("create the folder", path, e);
}

static bool
make_parents(const char *path, size_t from, struct sb_arena *a, struct sb_err *e)
{
    for (const char *slash = path + from; (slash = strchr(slash + 1, '/'));)
        SB_TRY(make_folder(sb_arena_str(a, (struct sb_str){path, (size_t)(slash - path)}).p, e));
    return true;
}

static bool
has_other_files(const char *folder, struct sb_err *e, bool *has)
{
    SB_SCOPED_DIR DIR *d = opendir(folder);
    if (!d)
        return fail_at("open the folder", folder, e);
    *has = false;
    for (struct dirent *f; (f = readdir(d));)
        *has |= f->d_name[0] != '.' && !sb_str_starts(sb_str_of(f->d_name), SB_STR(MARKER));
    return true;
}

static bool
check_marker(struct sb_str is, struct sb_str wanted, struct sb_err *e)
{
    struct sb_str rest = sb_str_trim(is);
    if (sb_str_eq(rest, wanted))
        return true;
    if (!sb_str_starts(rest, SB_STR(MARKER_START)) || memchr(rest.p, '\n', rest.n))
        return sb_err_set(e, SB_ERR_INPUT, MARKER " is damaged");
    rest = sb_str_sub(rest, sizeof MARKER_START - 1, rest.n);
    struct sb_str version = sb_str_cut(&rest, ',');
    if (!sb_str_eq(version, SB_STR(SB_DATASET_SCHEMA))) {
        sb_err_set(e, SB_ERR_INPUT,
                   "the dataset has schema %.*s, and this strobe writes schema " SB_DATASET_SCHEMA,
                   SB_STR_ARG(sb_str_sub(version, 0, 20)));
        return sb_err_advise(e, "name a new folder, or use the strobe that made it");
    }
    sb_err_set(e, SB_ERR_USAGE, "partitions of the dataset have the %.*s", SB_STR_ARG(sb_str_trim(rest)));
    return sb_err_advise(e, "give the same, in this order");
}

/* The first line of the marker: version and keys. */
static struct sb_str
marker_of(const struct sb_dataset *d, struct sb_arena *a)
{
    struct sb_str line = SB_STR(MARKER_START SB_DATASET_SCHEMA ", labels:");
    if (d->n_labels == 0)
        line = sb_arena_printf(a, "%.*s none", SB_STR_ARG(line));
    for (size_t i = 0; i < d->n_labels; i++) {
        struct sb_str rest = sb_str_of(d->label[i]), key = sb_str_cut(&rest, '=');
        line = sb_arena_printf(a, "%.*s %.*s", SB_STR_ARG(line), SB_STR_ARG(key));
    }
    return line;
}

static bool
make_or_check(const struct sb_dataset *d, struct sb_arena *a, struct sb_err *e)
{
    const char *path = sb_arena_printf(a, "%s/" MARKER, d->folder).p;
    struct sb_str wanted = marker_of(d, a);
    struct sb_file f;
    struct sb_out out;
    bool has_others = false;
    SB_TRY(make_folder(d->folder, e));
    SB_TRY(
        has_other_files(d->folder, e, &has_others)); /* before the marker, which others may write just now */
    if (access(path, F_OK) == 0) {
        SB_TRY(sb_file_open(&f, path, e));
        bool ok = check_marker((struct sb_str){(const char *)f.p, f.n}, wanted, e);
        sb_file_close(&f);
        return ok;
    }
    if (has_others) {
        sb_err_set(e, SB_ERR_INPUT, "the folder has files and is no dataset of strobe");
        return sb_err_advise(e, "name a new folder");
    }
    SB_TRY(sb_out_open(&out, path, e));
    sb_out_str(&out, wanted);
    sb_out_char(&out, '\n');
    return sb_out_close(&out, e);
}

bool
sb_dataset_is(const char *folder)
{
    char path[4096];
    return (size_t)snprintf(path, sizeof path, "%s/" MARKER, folder) < sizeof path && access(path, F_OK) == 0;
}

bool
sb_dataset_open(const struct sb_dataset *d, struct sb_err *e)
{
    SB_ARENA(a);
    for (size_t i = 0; i < d->n_labels; i++)
        SB_TRY(check_label(d, i, e));
    bool ok = make_or_check(d, &a, e);
    return ok || sb_err_in(e, d->folder, SB_NO_BYTE);
}

/* ---- appending */

/* Puts the folder `made` at `path`. What is there goes to `old` before, so no moment has two of it. */
static bool
publish(const char *made, const char *path, const char *old, struct sb_err *e)
{
    if (rename(path, old) != 0 && errno != ENOENT)
        return fail_at("replace the partition", path, e);
    if (rename(made, path) == 0)
        return true;
    fail_at("create the partition", path, e);
    rename(old, path);
    return false;
}

static bool
append(const struct sb_dataset *d, const struct sb_profile *p, const char *stage, const char *path,
       struct sb_arena *a, struct sb_err *e)
{
    const char *made = sb_arena_printf(a, "%s/new", stage).p, *old = sb_arena_printf(a, "%s/old", stage).p;
    const struct sb_export_options whole = {.since_ns = SB_NULL, .until_ns = SB_NULL, .dataset = true};
    bool ok = sb_export(&sb_export_parquet, p, &whole, made, e) &&
              make_parents(path, strlen(d->folder), a, e) && publish(made, path, old, e);
    unlink(old); /* a link that somebody put in its place */
    sb_temporary_remove(old);
    sb_temporary_remove(made);
    return ok;
}

bool
sb_dataset_append(const struct sb_dataset *d, const struct sb_profile *p, struct sb_arena *a,
                  struct sb_dataset_partition *out, struct sb_err *e)
{
    struct stat in, beside;
    SB_TRY(place(d, p, a, out, e));
    char *real = realpath(d->folder, NULL);
    if (!real)
        return fail_at("open the folder", d->folder, e);
    char *stage = (char *)sb_arena_printf(a, "%s" SB_DATASET_STAGE "XXXXXX", real).p;
    free(real);
    if (!mkdtemp(stage))
        return fail_at("create a folder beside the dataset", stage, e);
    int held = open(stage, O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* until this process ends, however it does */
    flock(held, LOCK_EX);
    bool ok = stat(d->folder, &in) == 0 && stat(stage, &beside) == 0;
    if (!ok)
        fail_at("open the folder", d->folder, e);
    else if (in.st_dev != beside.st_dev) {
        sb_err_set(e, SB_ERR_INPUT, "the dataset is a file system of its own");
        sb_err_advise(e, "name a folder in it, so that partitions can be made beside the dataset");
        ok = sb_err_in(e, d->folder, SB_NO_BYTE);
    }
    ok = ok && append(d, p, stage, out->path, a, e);
    rmdir(stage);
    sb_close(held);
    return ok;
}
