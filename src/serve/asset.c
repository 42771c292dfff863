#include "serve/asset.h"
#include "base/arena.h"
#include "base/err.h"
#include <zlib.h>

const struct sb_asset *
sb_asset_find(struct sb_str path)
{
    for (size_t i = 0; i < sb_n_assets; i++)
        if (sb_str_eq(path, sb_str_of(sb_assets[i].path)))
            return &sb_assets[i];
    return NULL;
}

char *
sb_asset_plain(const struct sb_asset *a)
{
    char *plain = sb_realloc_or_die(NULL, a->plain_bytes + 1);
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)a->gzip,
                  .avail_in = (unsigned)a->gzip_bytes,
                  .next_out = (unsigned char *)plain,
                  .avail_out = (unsigned)a->plain_bytes};
    SB_ASSERT(inflateInit2(&z, 16 + MAX_WBITS) == Z_OK); /* 16: a gzip header */
    SB_ASSERT(inflate(&z, Z_FINISH) == Z_STREAM_END);
    inflateEnd(&z);
    plain[a->plain_bytes] = '\0';
    return plain;
}
