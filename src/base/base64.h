/* Base64 with padding (RFC 4648). */
#pragma once
#include "base/file.h"

void sb_base64_write(struct sb_out *out, const void *p, size_t n);
/* Decodes into out->buf of an output in memory. False if the text is not base64; what precedes the fault is written. */
bool sb_base64_read(struct sb_out *out, struct sb_str text);
