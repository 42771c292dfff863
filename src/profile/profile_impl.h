/* An open profile: profile_open.c creates it, profile.c reads from it. */
#pragma once
#include "base/arena.h"
#include "base/file.h"
#include "profile/format.h"
#include "base/vec.h"
#include "profile/profile.h"
#include "profile/squeeze.h"
#include <pthread.h>

enum { SB_PLACES = 64 }; /* most columns of a table in a file */

struct sb_kept_column {
    const struct sb_dir_block *block; /* NULL if the file has no such column: all values are NULL */
    const uint32_t *dict;
    uint32_t n_dict;
    _Atomic uint8_t *state; /* of each block */
};

struct sb_derived; /* derive.h */
struct sb_kept_value {
    const struct sb_derived *what;
    void *value;
    struct sb_arena arena;
    int progress; /* derive.c */
};

/* Blocks that sb_profile_cell read last, since cells are mostly read row by row. */
struct sb_cells {
    pthread_mutex_t lock; /* who does not get it reads the block anew */
    struct {
        const struct sb_kept_column *of; /* NULL: none */
        uint64_t block;
        int64_t v[SB_BLOCK_ROWS];
    } at[8];
};

struct sb_profile {
    struct sb_file f;
    const struct sb_profile *of; /* a table in memory that follows from it; NULL: a file */
    /* of a file: the profile that holds a table that may follow from others (follows.h) */
    const struct sb_profile *(*follow)(const struct sb_profile *p, enum sb_tab t);
    char *path;
    uint64_t hash;
    struct {
        uint64_t rows;
        struct sb_kept_column *column;
        int8_t at_place[SB_PLACES]; /* column of the schema by its place in the directory, -1: none */
    } table[SB_TABLES];
    const struct sb_dir_chunk *chunk;
    _Atomic uint8_t *chunk_state;
    uint64_t n_texts;
    _Atomic int64_t span_ns; /* SB_NULL: not yet asked for */
    struct sb_arena arena;
    struct sb_cells *cells;
    struct sb_unsqueezer unsqueezer;
    pthread_mutex_t lock; /* protects the members below */
    bool damaged;
    struct sb_err damage;
    void (*watcher)(void *ctx, uint64_t done, uint64_t all); /* NULL: none */
    void *watcher_ctx;
    pthread_mutex_t derive_lock; /* protects `derived` */
    pthread_cond_t derived_one;
    SB_VEC(struct sb_kept_value *) derived;
};
void sb_profile_forget(struct sb_profile *p); /* closes the derived values */

/* The profile that holds the rows of a table. */
static inline const struct sb_profile *
sb_profile_holder(const struct sb_profile *p, enum sb_tab t)
{
    return p->follow && p->table[t].rows == 0 ? p->follow(p, t) : p;
}
