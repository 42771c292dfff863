/* gzip compression of an output, as it is written. Memory is zlib's window. Use from one thread at a time. */
#pragma once
#include "base/file.h"
#include <zlib.h>

struct sb_gzip {
    z_stream z;
    struct sb_out *out;
    uint8_t buf[1 << 16];
    bool failed;
};

bool sb_gzip_open(struct sb_gzip *g, struct sb_out *out, struct sb_err *e);
void sb_gzip_bytes(struct sb_gzip *g, const void *p, size_t n);
bool sb_gzip_close(struct sb_gzip *g, struct sb_err *e); /* writes the rest; the output stays open */
