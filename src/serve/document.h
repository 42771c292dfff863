/*
 * The page as one document: style, answers by address, script. The page does not request an answer that the
 * document holds. The server sends it with the answers of the first picture; with those of all views it is
 * the report, which needs no server.
 */
#pragma once
#include "base/file.h"

struct sb_document {
    struct sb_out *out;
    bool any;
    uint64_t bytes; /* of the answers so far, as they are written */
};

/* `later`: for the report, the files that the page asks a server for when it needs them, up to a NULL: nothing is
 * fetched, and answers are compressed (gzip). NULL: for the server. */
void sb_document_open(struct sb_document *d, struct sb_out *out, const char *const *later);
void sb_document_answer(struct sb_document *d, const char *address, const void *answer, size_t n);
void sb_document_close(struct sb_document *d);
