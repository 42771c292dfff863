/* Packs blocks as a .sbt file holds them: head, compressed content, padding up to a multiple of 8. */
#pragma once
#include "trace/sbt/sbt.h"

struct sb_sbt_packer { /* one thread */
    int level;         /* zstd level; 0: uncompressed */
    SB_VEC(uint8_t) bytes;
    void *zstd;
};

void sb_sbt_packer_init(struct sb_sbt_packer *k, int level);
/* Returns the size of the packed block, which is in `bytes` until the next call. Completes and seals its head. */
size_t sb_sbt_pack(struct sb_sbt_packer *k, struct sb_sbt_block *b, const void *raw);
void sb_sbt_packer_close(struct sb_sbt_packer *k);

/* Writes the b->raw bytes of a block's content; false: they cannot be decompressed. */
bool sb_sbt_unpack_body(uint8_t *out, const uint8_t *body, const struct sb_sbt_block *b);
