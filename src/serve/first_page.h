/*
 * What the server sends for its address: the document (serve/document.h) with the answers that the first
 * picture of the first profile needs, made once, so that nothing is asked between the page and its picture.
 * Until it is made the document without answers is sent, and the page asks.
 */
#ifndef SB_SERVE_FIRST_PAGE_H
#define SB_SERVE_FIRST_PAGE_H
#include "serve/asset.h"
#include "serve/document.h"
#include <stdatomic.h>

struct sb_first_page {
    char policy[512]; /* Content-Security-Policy: the document's own script and style run, no others */
    struct sb_asset *bare;
    struct sb_asset *_Atomic full;
    _Atomic bool making;
};

void sb_first_page_init(struct sb_first_page *f);
void sb_first_page_close(struct sb_first_page *f);
/* a document becomes what is sent, compressed; `out` is given back */
struct sb_asset *sb_first_page_pack(struct sb_out *out);

#endif
