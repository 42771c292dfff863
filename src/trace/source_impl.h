/*
 * The state that the formats of source.c share: the opened files and the facts found so far. Included by
 * src/trace only.
 *
 * Threads: `next` runs on one thread, `decode` on any number at once. So decoders report their findings
 * through sb_source_damaged and sb_source_lost, which take the lock.
 */
#pragma once
#include "base/file.h"
#include "trace/source.h"
#include <pthread.h>

struct sb_source_file {
    struct sb_file map;
    const char *path;
};

struct sb_source {
    const struct sb_source_format *format;
    struct sb_source_options options;
    struct sb_arena arena; /* freed with the source; used by the opening thread only */
    struct sb_source_file *file;
    uint32_t n_files;
    struct sb_names *names;
    struct sb_source_info info;
    bool quiet, may_have_wrapped;
    pthread_mutex_t lock; /* protects info.damage and info.lost while blocks are decoded */
    void *state;          /* private to the format */
};

extern const struct sb_source_format sb_format_sbt, sb_format_otp, sb_format_text;

/* Both are thread-safe. cls SB_CLASSES: the class is unknown. */
void sb_source_damaged(struct sb_source *s, uint32_t file, uint64_t at_byte, uint64_t bytes, const char *fmt,
                       ...) __attribute__((format(printf, 5, 6)));
void sb_source_lost(struct sb_source *s, enum sb_class cls, uint64_t events);
#define SB_SOURCE_UNFINISHED "unfinished"                                       /* the key of a note */
#define SB_SOURCE_WRAPPED "wrapped"                                             /* another one */
void sb_source_note(struct sb_source *s, const char *key, struct sb_str value); /* only while opening */

/* Releases the pages of a decoded block, so that memory does not grow with the file. */
void sb_source_done_with(const struct sb_source *s, const struct sb_block *b);

/*
 * The files that a path stands for, in reading order: one file, or a wrap set given by its base name or its
 * files (wrap.c). The paths are in the arena.
 */
struct sb_wrap_files {
    const char **path;
    size_t n;
    bool is_wrap;
    bool has_wrapped;      /* files older than the first one were removed */
    bool may_have_wrapped; /* the names do not show whether any were */
};
bool sb_wrap_find(const char *const *paths, size_t n, uint32_t wrap_count, struct sb_arena *a,
                  struct sb_wrap_files *out, struct sb_err *e);
