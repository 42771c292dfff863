#include "export/export.h"
#include "base/nearest.h"
#include "profile/range.h"
#include "why/why.h"
#include <errno.h>
#include <sys/stat.h>

#define EXPORTER(name) extern const struct sb_exporter sb_export_##name;
#include "export/export.def"
#undef EXPORTER

const struct sb_exporter *const sb_exporters[] = {
#define EXPORTER(name) &sb_export_##name,
#include "export/export.def"
#undef EXPORTER
};
const size_t sb_n_exporters = sizeof sb_exporters / sizeof *sb_exporters;

const struct sb_exporter *
sb_exporter_find(struct sb_str name)
{
    for (size_t i = 0; i < sb_n_exporters; i++)
        if (sb_str_eq(sb_str_of(sb_exporters[i]->name), name))
            return sb_exporters[i];
    return NULL;
}

static bool
offers(const struct sb_exporter *x, const char *what)
{
    struct sb_str rest = sb_str_of(x->what), word;
    while (rest.n > 0)
        if (word = sb_str_cut(&rest, ' '), sb_str_eq(word, sb_str_of(what)))
            return true;
    return false;
}

/* Of a name that is no table of the schema. */
static bool
unknown_table(const char *name, struct sb_err *e)
{
    if (sb_why_is_table(sb_str_of(name))) {
        sb_err_set(e, SB_ERR_USAGE, "table '%s' is computed by each query, and export writes stored ones",
                   name);
        return sb_err_advise(e, "strobe query P 'SELECT * FROM %s' --format csv", name);
    }
    struct sb_nearest near = sb_nearest_to(sb_str_of(name));
    for (unsigned t = 0; t < SB_TABLES; t++)
        sb_nearest_offer(&near, sb_str_of(sb_schema[t].name));
    sb_err_set(e, SB_ERR_USAGE, "unknown table '%s'%s", name, sb_nearest_hint(&near));
    return sb_err_advise(e, "strobe query --tables lists the tables");
}

static bool
check(const struct sb_exporter *x, const struct sb_export_options *o, struct sb_err *e)
{
    if (o->what && !x->what[0])
        return sb_err_set(e, SB_ERR_USAGE, "%s has only one view: omit --what", x->name);
    if (o->what && !offers(x, o->what))
        return sb_err_set(e, SB_ERR_USAGE, "%s has no view '%s': --what is one of %s", x->name, o->what,
                          x->what);
    enum sb_tab t;
    if (o->table && !x->per_table)
        return sb_err_set(e, SB_ERR_USAGE, "%s has no tables: --table works with csv and parquet", x->name);
    if (o->table && !sb_schema_table(sb_str_of(o->table), &t))
        return unknown_table(o->table, e);
    if (o->since_ns != SB_NULL && o->until_ns != SB_NULL && o->since_ns >= o->until_ns)
        return sb_err_set(e, SB_ERR_USAGE, "--since is not before --until");
    return true;
}

static bool
write_file(const struct sb_exporter *x, const struct sb_profile *p, const struct sb_export_options *o,
           const char *path, struct sb_err *e)
{
    struct sb_out out;
    SB_TRY(sb_out_open(&out, path, e));
    sb_out_private_as(&out, sb_profile_path(p));
    if (!x->write(p, o, &out, e) || sb_profile_damage(p, e)) {
        sb_out_abandon(&out);
        return false;
    }
    return sb_out_close(&out, e);
}

static bool
write_tables(const struct sb_exporter *x, const struct sb_profile *p, const struct sb_export_options *o,
             const char *path, struct sb_err *e)
{
    for (unsigned t = 0; t < SB_TABLES; t++) {
        struct sb_export_options one = *o;
        one.table = sb_schema[t].name;
        char file[4096];
        if ((size_t)snprintf(file, sizeof file, "%s/%s%s", path, one.table, x->suffix) >= sizeof file)
            return sb_err_set(e, SB_ERR_INPUT, "the path is too long");
        SB_TRY(write_file(x, p, &one, file, e));
    }
    return true;
}

bool
sb_export(const struct sb_exporter *x, const struct sb_profile *p, const struct sb_export_options *options,
          const char *path, struct sb_err *e)
{
    struct sb_export_options narrowed = *options, *o = &narrowed;
    SB_TRY(check(x, o, e));
    if (o->until_ns != SB_NULL && sb_range_of(p, o->since_ns, o->until_ns).to == INT64_MAX)
        o->until_ns = SB_NULL; /* as of a range that has no end */
    bool folder = x->write_folder || (x->per_table && !o->table);
    if (!folder)
        return write_file(x, p, o, path, e);
    if (!path) {
        sb_err_set(e, SB_ERR_USAGE, "%s is a folder of files and cannot go to stdout", x->name);
        return sb_err_advise(e, x->per_table ? "select one table with --table, or a folder with -o"
                                             : "select a folder with -o");
    }
    if (mkdir(path, 0777) != 0 && !(errno == EEXIST && x->per_table)) {
        sb_err_errno(e, "create the folder");
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    return x->write_folder ? x->write_folder(p, o, path, e) : write_tables(x, p, o, path, e);
}
