/*
 * The response to "/": the document (serve/document.h) with the answers that the first picture of the first
 * profile needs, built once, so that the page requests nothing before its first picture. Until it is built
 * the server sends the document without answers, and the page requests them.
 */
#pragma once
#include "serve/asset.h"
#include "serve/document.h"
#include <stdatomic.h>

struct sb_first_page {
    char policy[512]; /* Content-Security-Policy: only the page's own scripts and style are allowed */
    struct sb_asset *bare;
    struct sb_asset *_Atomic full;
    _Atomic bool making;
};

void sb_first_page_init(struct sb_first_page *f);
void sb_first_page_close(struct sb_first_page *f);
/* Compresses a document into a response; frees `out`. */
struct sb_asset *sb_first_page_pack(struct sb_out *out);
