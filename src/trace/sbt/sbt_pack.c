#include "trace/sbt/sbt_pack.h"
#include "base/hash.h"
#if __has_include(<zstd.h>) && !defined(SB_NO_ZSTD)
#include <zstd.h>
#define HAVE_ZSTD 1
#else
#define HAVE_ZSTD \
    0 /* without the library blocks are stored uncompressed; they have checksums in any case                 \
       */
#endif

static uint64_t
sum(const struct sb_sbt_block *b, const void *p, size_t n)
{
    return b->sum == SB_SBT_MIX ? sb_mix_hash(p, n) : sb_hash(p, n);
}

void
sb_sbt_seal(struct sb_sbt_block *b, const void *stored)
{
    b->magic = SB_SBT_BLOCK;
    b->sum = SB_HAVE_XXH3 ? SB_SBT_XXH3 : SB_SBT_MIX;
    b->check = sum(b, stored, b->stored);
    b->head_check = sum(b, b, offsetof(struct sb_sbt_block, head_check));
}

bool
sb_sbt_check_body(const struct sb_sbt_block *b, const void *stored)
{
    return b->check == sum(b, stored, b->stored);
}

bool
sb_sbt_check_head(const struct sb_sbt_block *b)
{
    return b->magic == SB_SBT_BLOCK &&
           b->head_check == sum(b, b, offsetof(struct sb_sbt_block, head_check)) &&
           b->raw <= SB_SBT_RAW_MAX &&
           (b->codec == SB_SBT_RAW ? b->raw == b->stored : b->raw <= sb_sbt_unpacks_to(b->stored));
}

void
sb_sbt_packer_init(struct sb_sbt_packer *k, int level)
{
    *k = (struct sb_sbt_packer){.level = level};
#if HAVE_ZSTD
    k->zstd = ZSTD_createCCtx();
    if (!k->zstd)
        sb_out_of_memory(0);
#endif
}

size_t
sb_sbt_pack(struct sb_sbt_packer *k, struct sb_sbt_block *b, const void *raw)
{
    size_t bound = b->raw;
#if HAVE_ZSTD
    bound = k->level ? ZSTD_compressBound(b->raw) : bound;
#endif
    k->bytes.n = 0;
    SB_RESERVE(&k->bytes, sizeof *b + bound + 8);
    uint8_t *out = k->bytes.at, *body = out + sizeof *b;
    b->codec = SB_SBT_RAW;
    b->stored = b->raw;
#if HAVE_ZSTD
    size_t n = k->level ? ZSTD_compressCCtx(k->zstd, body, bound, raw, b->raw, k->level) : b->raw;
    if (!ZSTD_isError(n) && n < b->raw && b->raw <= sb_sbt_unpacks_to((uint32_t)n)) {
        b->codec = SB_SBT_ZSTD;
        b->stored = (uint32_t)n;
    }
#endif
    if (b->codec == SB_SBT_RAW && b->raw)
        memcpy(body, raw, b->raw);
    memset(body + b->stored, 0, 8);
    sb_sbt_seal(b, body);
    memcpy(out, b, sizeof *b);
    return sizeof *b + sb_sbt_padded(b->stored);
}

void
sb_sbt_packer_close(struct sb_sbt_packer *k)
{
#if HAVE_ZSTD
    ZSTD_freeCCtx(k->zstd);
#endif
    SB_VEC_FREE(&k->bytes);
}

bool
sb_sbt_unpack_body(uint8_t *out, const uint8_t *body, const struct sb_sbt_block *b)
{
    if (b->codec == SB_SBT_RAW) {
        memcpy(out, body, b->raw);
        return true;
    }
#if HAVE_ZSTD
    return b->codec == SB_SBT_ZSTD && ZSTD_decompress(out, b->raw, body, b->stored) == b->raw;
#else
    return false;
#endif
}
