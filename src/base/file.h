/*
 * Files: read-only maps, and outputs that appear whole or not at all (written under a temporary name, then
 * renamed). Reading a map of a file that has shrunk raises SIGBUS. So sb_file_open accepts regular files only
 * and maps the length of that moment; a growing file is read up to that length.
 */
#pragma once
#include "base/err.h"
#include "base/str.h"
#include <dirent.h>

struct sb_file {
    const uint8_t *p;
    uint64_t n;
    int fd;
    uint64_t mapped; /* length of the map; n may have become less */
};

bool sb_file_open(struct sb_file *f, const char *path, struct sb_err *e); /* empty files map to n == 0 */
void sb_file_close(struct sb_file *f);
void sb_file_survive_shrinking(void); /* installs the handler; call once, from main */
/* Maps what was added to a file since; the map may move. */
bool sb_file_grow(struct sb_file *f, struct sb_err *e);
bool sb_file_recheck(struct sb_file *f); /* false when the file has shrunk; n is its new length */

void sb_close(int fd); /* unless it is negative */
/* Before the declaration of one, which may be none (NULL, negative): it is closed where its block ends. */
#define SB_SCOPED_FD __attribute__((cleanup(sb_scoped_fd_close)))
#define SB_SCOPED_FILE __attribute__((cleanup(sb_scoped_file_close)))
#define SB_SCOPED_DIR __attribute__((cleanup(sb_scoped_dir_close)))
void sb_scoped_fd_close(const int *fd);
void sb_scoped_file_close(FILE **f);
void sb_scoped_dir_close(DIR **d);
/* Reads the first line of a file, such as those of /proc, without its end. */
bool sb_file_line(const char *path, char *line, int room);

/* Buffered output; `path` NULL means stdout. The first failure is kept and reported by close. */
struct sb_out {
    char *buf;
    size_t n, cap;
    int fd;
    uint64_t written;
    bool failed, atomic, nameless; /* nameless: it gets the name `tmp` at close */
    int errnum;
    char path[4096], tmp[4096];
};
bool sb_out_open(struct sb_out *o, const char *path, struct sb_err *e);        /* atomic: renamed at close */
bool sb_out_open_append(struct sb_out *o, const char *path, struct sb_err *e); /* written in place */
/* Others get no permission for the output that they do not have for the file at `path`. */
void sb_out_private_as(struct sb_out *o, const char *path);
/* Goes on in another file, which gets what was written so far; the first one stays as it is. Both are atomic, and
 * `from` is not closed. */
bool sb_out_go_on(struct sb_out *o, const struct sb_out *from, const char *path, struct sb_err *e);
void sb_out_to_memory(struct sb_out *o); /* grows; text in buf, n */
/* Such an output, which is freed where the block ends that it is in. */
#define SB_OUT_TO_MEMORY(name) \
    struct sb_out name __attribute__((cleanup(sb_out_abandon))); \
    sb_out_to_memory(&name)
void sb_out_bytes(struct sb_out *o, const void *p, size_t n);
void sb_out_str(struct sb_out *o, struct sb_str s);
void sb_out_z(struct sb_out *o, const char *z);
void sb_out_char(struct sb_out *o, char c);
void sb_out_pad(struct sb_out *o, char c, size_t n);
void sb_out_u64(struct sb_out *o, uint64_t v);
void sb_out_i64(struct sb_out *o, int64_t v);
void sb_out_printf(struct sb_out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool sb_out_flush(struct sb_out *o, struct sb_err *e);
bool sb_out_close(struct sb_out *o, struct sb_err *e); /* flush, fsync-free rename; frees */
void sb_out_abandon(struct sb_out *o);                 /* close and remove the temporary file */
void sb_out_remove_unfinished(const char *path,
                              long pid); /* what a killed process left of its output `path` */
