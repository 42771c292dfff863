/*
 * An exporter: one format, one file, one row in export.def. Exporters stream: memory does not grow with the
 * profile, only with the number of distinct functions and, for some formats, with the largest call tree of a
 * process.
 */
#pragma once
#include "profile/profile.h"

struct sb_export_note {
    char text[256]; /* one line for the user: what was left out, or shown instead */
};

enum sb_export_time { SB_EXPORT_CPU, SB_EXPORT_WALL }; /* without or with the time of waiting */

struct sb_export_options {
    int64_t since_ns, until_ns; /* SB_NULL: open */
    const int64_t *process;     /* process ids, ascending; none: all */
    size_t n_process;
    const char *table; /* csv, parquet: the table; NULL: the default of the format */
    const char
        /* formats with several pictures: "calls", "messages", "processes", ...; NULL: its first */
        *what;
    bool dataset;                /* parquet: as a file of a dataset (dataset.h) */
    unsigned time;               /* of stacks: enum sb_export_time */
    struct sb_export_note *note; /* may be NULL */
};

typedef bool sb_export_write(const struct sb_profile *p, const struct sb_export_options *o,
                             struct sb_out *out, struct sb_err *e);

struct sb_exporter {
    const char *name, *suffix, *doc; /* doc: content, and the tools that open it */
    const char *what;       /* values of --what separated by blanks, the first is the default; "" none */
    bool per_table;         /* one table per file; without --table a folder of all */
    bool timeless;          /* works for traces without time stamps */
    sb_export_write *write; /* one stream; NULL if the format is a folder */
    /* for formats whose own library writes the files: into a new folder `path` */
    bool (*write_folder)(const struct sb_profile *p, const struct sb_export_options *o, const char *path,
                         struct sb_err *e);
};
/* Begins the descriptor of a format, which write_ID writes. */
#define SB_EXPORTER(id) \
    static sb_export_write write_##id; \
    const struct sb_exporter sb_export_##id
extern const struct sb_exporter *const sb_exporters[];
extern const size_t sb_n_exporters;
const struct sb_exporter *sb_exporter_find(struct sb_str name);

/* Checks the options against the format and writes to `path` (NULL: stdout). An incomplete file never
 * appears. */
bool sb_export(const struct sb_exporter *x, const struct sb_profile *p, const struct sb_export_options *o,
               const char *path, struct sb_err *e);
