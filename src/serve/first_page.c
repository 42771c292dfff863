#include "serve/first_page.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include <stdlib.h>
#include <zlib.h>

struct packed {
    struct sb_asset asset;
    char etag[24];
    unsigned char gzip[];
};

struct sb_asset *
sb_first_page_pack(struct sb_out *out)
{
    z_stream z = {.next_in = (unsigned char *)out->buf, .avail_in = (unsigned)out->n};
    SB_ASSERT(deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) ==
              Z_OK);
    size_t bound = deflateBound(&z, z.avail_in);
    struct packed *p = sb_realloc_or_die(NULL, sizeof *p + bound);
    z.next_out = p->gzip;
    z.avail_out = (unsigned)bound;
    SB_ASSERT(deflate(&z, Z_FINISH) == Z_STREAM_END);
    snprintf(p->etag, sizeof p->etag, "\"%016llx\"", (unsigned long long)sb_hash(out->buf, out->n));
    p->asset = (struct sb_asset){.path = "",
                                 .type = "text/html; charset=utf-8",
                                 .gzip = p->gzip,
                                 .gzip_bytes = z.total_out,
                                 .plain_bytes = out->n,
                                 .etag = p->etag};
    deflateEnd(&z);
    sb_out_abandon(out);
    return &p->asset;
}

/* Returns the digest of a file, which is also its ETag. */
static struct sb_str
digest_of(struct sb_str path)
{
    struct sb_str etag = sb_str_of(sb_asset_find(path)->etag);
    return sb_str_sub(etag, 1, etag.n - 2);
}

void
sb_first_page_init(struct sb_first_page *f)
{
    struct sb_str script = digest_of(SB_STR("page.js")), graph = digest_of(SB_STR("graph.js"));
    struct sb_str diff = digest_of(SB_STR("diff.js")), style = digest_of(SB_STR("page.css"));
    struct sb_document d;
    struct sb_out out;
    snprintf(f->policy, sizeof f->policy,
             "default-src 'self'; script-src '%.*s' '%.*s' '%.*s'; style-src '%.*s'; img-src 'self' data:; "
             "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             SB_STR_ARG(script), SB_STR_ARG(graph), SB_STR_ARG(diff), SB_STR_ARG(style));
    sb_out_to_memory(&out);
    sb_document_open(&d, &out, NULL);
    sb_document_close(&d);
    f->bare = sb_first_page_pack(&out);
}

void
sb_first_page_close(struct sb_first_page *f)
{
    free(f->bare);
    free(atomic_load(&f->full));
}
