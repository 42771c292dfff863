#include "serve/document.h"
#include "base/base64.h"
#include "serve/asset.h"
#include <stdlib.h>

static void
write_asset(struct sb_out *out, struct sb_str path)
{
    const struct sb_asset *a = sb_asset_find(path);
    char *text = sb_asset_plain(a);
    sb_out_bytes(out, text, a->plain_bytes);
    free(text);
}

/* Writes the font as data for the script, which loads it before the first layout. A font file would arrive
   later and cause a second layout. */
static void
write_font(struct sb_out *out)
{
    const struct sb_asset *font = sb_asset_find(SB_STR("inter.woff2"));
    char *bytes = sb_asset_plain(font);
    sb_out_z(out, "<script type=\"application/json\" id=\"font\">\"");
    sb_base64_write(out, bytes, font->plain_bytes);
    sb_out_z(out, "\"</script>\n");
    free(bytes);
}

static void
write_later(struct sb_out *out, const char *const *file)
{
    for (; *file; file++) {
        sb_out_printf(out, "<script type=\"text/plain\" id=\"%s\">", *file);
        write_asset(out, sb_str_of(*file));
        sb_out_z(out, "</script>\n");
    }
}

void
sb_document_open(struct sb_document *d, struct sb_out *out, const char *const *later)
{
    *d = (struct sb_document){.out = out};
    sb_out_z(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>strobe</title>\n");
    if (!later)
        sb_out_z(out, "<link rel=\"icon\" href=\"icon.svg\">\n");
    sb_out_z(out, "<style>");
    write_asset(out, SB_STR("page.css"));
    sb_out_z(out, "</style>\n</head>\n<body><div id=\"page\"></div>\n"
                  "<noscript>This page is drawn by JavaScript. The same answers come from <code>strobe "
                  "report</code>.</noscript>\n");
    write_font(out);
    if (later)
        write_later(out, later);
    sb_out_printf(out, "<script type=\"application/json\" id=\"%s\">{", later ? "saved" : "first");
}

void
sb_document_answer(struct sb_document *d, const char *address, const void *answer, size_t n)
{
    sb_out_printf(d->out, "%s\n\"api/%s\": \"", d->any ? "," : "", address);
    sb_base64_write(d->out, answer, n);
    sb_out_char(d->out, '"');
    d->any = true;
    d->bytes += n * 4 / 3;
}

void
sb_document_close(struct sb_document *d)
{
    sb_out_z(d->out, "}</script>\n<script>");
    write_asset(d->out, SB_STR("page.js"));
    sb_out_z(d->out, "</script>\n</body>\n</html>\n");
}
