#include "profile/squeeze.h"
#include "base/arena.h"
#include "profile/pack_impl.h"
#include <stdlib.h>
#include <zstd.h>

enum { LEAST = 128 /* bytes: what a frame adds to shorter blocks is too much of them */, LEVEL = -1 };

struct sb_squeezer {
    ZSTD_CCtx *zstd;
    uint8_t out[SB_PACK_MAX];
};

static void *
made(void *zstd)
{
    if (zstd == NULL)
        sb_out_of_memory(SB_PACK_MAX);
    return zstd;
}

struct sb_squeezer *
sb_squeezer_open(void)
{
    struct sb_squeezer *s = sb_realloc_or_die(NULL, sizeof *s);
    s->zstd = made(ZSTD_createCCtx());
    return s;
}

void
sb_squeezer_close(struct sb_squeezer *s)
{
    if (s)
        ZSTD_freeCCtx(s->zstd);
    free(s);
}

void
sb_squeeze(struct sb_squeezer *s, uint8_t *at, struct sb_packed *d)
{
    size_t most = d->bytes - d->bytes / 8;
    if (d->bytes < LEAST)
        return;
    size_t n = ZSTD_compressCCtx(s->zstd, s->out, most, at, d->bytes, LEVEL);
    if (ZSTD_isError(n)) /* there was no room for it */
        return;
    d->bytes = (uint32_t)sb_pack_pad(n);
    memcpy(at, s->out, n);
    memset(at + n, 0, d->bytes - n + SB_PACK_SLACK);
}

void
sb_unsqueezer_close(struct sb_unsqueezer *u)
{
    ZSTD_freeDCtx(u->idle);
}

const uint8_t *
sb_unsqueeze(struct sb_unsqueezer *u, const uint8_t *at, const struct sb_packed *d, size_t n, uint8_t *room)
{
    size_t whole = sb_packed_whole(d, n);
    if (d->bytes == whole)
        return at;
    void *zstd = atomic_exchange(&u->idle, NULL);
    zstd = zstd ? zstd : made(ZSTD_createDCtx());
    size_t frame = ZSTD_findFrameCompressedSize(at, d->bytes);
    size_t got = ZSTD_isError(frame) ? frame : ZSTD_decompressDCtx(zstd, room, whole, at, frame);
    memset(room + whole, 0, SB_PACK_SLACK);
    ZSTD_freeDCtx(atomic_exchange(&u->idle, zstd));
    return got == whole ? room : NULL;
}
