/*
 * What goes into a node: compiled modules and libraries, without what only debuggers read, as one compressed term:
 *     [{module, Name, Beam}, {file, Name, Bytes}, ...]
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "live/attach/message.h"

struct sb_push {
    ei_x_buff terms; /* their encoding, without the list around them */
    int n;
};

void sb_push_init(struct sb_push *p);
void sb_push_free(struct sb_push *p);
bool sb_push_module(struct sb_push *p, const char *folder, const char *name, struct sb_err *e);
bool sb_push_file(struct sb_push *p, const char *folder, const char *name, struct sb_err *e);
/* The compressed term, in the arena. */
struct sb_str sb_push_pack(const struct sb_push *p, struct sb_arena *a);

/* Encodes a module as a binary: its chunks but those of debug information and documentation. */
bool sb_push_encode_beam(ei_x_buff *x, const char *folder, const char *name, struct sb_err *e);
/* Compresses an encoded term, which begins with the version byte: 131, 80, its size, and zlib's bytes. */
struct sb_str sb_push_compress(const ei_x_buff *term, struct sb_arena *a);
