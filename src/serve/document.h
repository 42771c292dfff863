/*
 * The page as one document: style, answers, script. What the page would ask is not asked when its answer
 * stands in the document, under the address it would have had. With the answers of the first picture the
 * server sends it; with those of every view it is the report, which no server stands behind.
 */
#ifndef SB_SERVE_DOCUMENT_H
#define SB_SERVE_DOCUMENT_H
#include "base/file.h"

struct sb_document {
    struct sb_out *out;
    bool any;
    uint64_t bytes; /* of the answers so far, as they are written */
};

/* `whole`: nothing is fetched from anywhere, and answers are compressed (gzip) */
void sb_document_open(struct sb_document *d, struct sb_out *out, bool whole);
void sb_document_answer(struct sb_document *d, const char *address, const void *answer, size_t n);
void sb_document_close(struct sb_document *d);
#endif
