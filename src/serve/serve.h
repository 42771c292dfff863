/*
 * The web page: an HTTP server on 127.0.0.1, and the page with its data as one file. Limits of the server: 32
 * kB of headers, 64 kB of body, 256 connections, 15 s for a slow client, 10 s and 10,000 rows for a
 * statement, three statements at a time, 32 questions at a time, of which four are answered concurrently. Of
 * the connections without the token the newest 128 stay.
 */
#pragma once
#include "base/err.h"
#include "base/file.h"

struct sb_serve_options {
    const char *const *paths; /* profiles or traces */
    size_t n_paths;
    const char *folder; /* instead of paths: all profiles and traces in it, also those that come to it */
    uint16_t port;      /* 0: any */
    const char *const *source_dir; /* folders to search for source code */
    size_t n_source_dirs;
    bool coming; /* the paths are traces that are being recorded, and may not exist yet */
};

struct sb_server;
/* Opens the profiles. That takes time, so no thread exists yet and signals have their usual effect. */
bool sb_server_open(struct sb_server **s, const struct sb_serve_options *o, struct sb_err *e);
/* Starts the threads; they inherit the signal mask. On failure the server must still be closed. */
bool sb_server_start(struct sb_server *s, struct sb_err *e);
const char *sb_server_url(const struct sb_server *s); /* with the token */
/* Nothing more comes of this trace, which was `coming`. */
void sb_server_recorded(struct sb_server *s, const char *path);
/* False: a worker is still busy after half a second, so the process has to end without a further call. Nothing of the
 * server stays on disk. */
bool sb_server_close(struct sb_server *s);

/* Writes the page of one profile with its data: it opens from disk and needs no network. `other`: the profile of its
 * view Difference; NULL: none. */
bool sb_serve_report(const char *profile_path, const char *other, struct sb_out *out, struct sb_err *e);
