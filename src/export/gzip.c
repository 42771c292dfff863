#include "export/gzip.h"

#define LEVEL 1        /* profiles are repetitive: the fastest level is within 10 % of the others */
#define WINDOW 15 + 16 /* 32 KiB, with a gzip header */

bool
sb_gzip_open(struct sb_gzip *g, struct sb_out *out, struct sb_err *e)
{
    memset(&g->z, 0, sizeof g->z);
    g->out = out;
    g->failed = false;
    if (deflateInit2(&g->z, LEVEL, Z_DEFLATED, WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return sb_err_set(e, SB_ERR_SYSTEM, "cannot start zlib");
    return true;
}

static void
deflate_all(struct sb_gzip *g, int flush)
{
    do {
        g->z.next_out = g->buf;
        g->z.avail_out = sizeof g->buf;
        if (deflate(&g->z, flush) == Z_STREAM_ERROR)
            g->failed = true;
        sb_out_bytes(g->out, g->buf, sizeof g->buf - g->z.avail_out);
    } while (g->z.avail_out == 0 && !g->failed);
}

void
sb_gzip_bytes(struct sb_gzip *g, const void *p, size_t n)
{
    const uint8_t *from = p;
    while (n > 0) {
        size_t step = n < 1u << 30 ? n : 1u << 30;
        g->z.next_in = (Bytef *)from;
        g->z.avail_in = (uInt)step;
        deflate_all(g, Z_NO_FLUSH);
        from += step;
        n -= step;
    }
}

bool
sb_gzip_close(struct sb_gzip *g, struct sb_err *e)
{
    g->z.next_in = NULL;
    g->z.avail_in = 0;
    deflate_all(g, Z_FINISH);
    deflateEnd(&g->z);
    return g->failed ? sb_err_set(e, SB_ERR_SYSTEM, "zlib could not compress the output") : true;
}
