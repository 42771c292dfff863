/* The page's files, compressed, as part of the program; tools/page builds them from web/. */
#pragma once
#include "base/str.h"

struct sb_asset {
    const char *path; /* "page.js" */
    const char *type;
    const unsigned char *gzip;
    size_t gzip_bytes, plain_bytes;
    const char *etag; /* the file's digest in quotes, as in a Content-Security-Policy */
};

extern const struct sb_asset sb_assets[];
extern const size_t sb_n_assets;
const struct sb_asset *sb_asset_find(struct sb_str path);
char *sb_asset_plain(const struct sb_asset *a); /* uncompressed, of plain_bytes; free it */
