#include "export/svg.h"
#include "base/table.h"
#include "base/utf8.h"

#define CHAR_WIDTH 7.25 /* of the monospaced font at 12 pixels */
#define TICKS 6

void
sb_svg_escape(struct sb_out *out, struct sb_str s)
{
    for (size_t step; s.n > 0; s = sb_str_sub(s, step ? step : 1, s.n)) {
        uint32_t c;
        step = sb_utf8_get(s.p, s.n, &c);
        const char *name = step == 0  ? "\xef\xbf\xbd"
                           : c == '<' ? "&lt;"
                           : c == '>' ? "&gt;"
                           : c == '&' ? "&amp;"
                           : c == '"' ? "&quot;"
                           : c < 0x20 ? " "
                                      : NULL;
        if (name)
            sb_out_z(out, name);
        else
            sb_out_bytes(out, s.p, step);
    }
}

void
sb_svg_begin(struct sb_out *out, int height, struct sb_str title)
{
    sb_out_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "font-family=\"monospace\" font-size=\"%d\">\n<title>",
        SB_SVG_WIDTH, height, SB_SVG_WIDTH, height, SB_SVG_FONT);
    sb_svg_escape(out, title);
    sb_out_z(out, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
}

void
sb_svg_end(struct sb_out *out)
{
    sb_out_z(out, "</svg>\n");
}

void
sb_svg_rect(struct sb_out *out, struct sb_svg_box b, const char *fill, double opacity)
{
    sb_out_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"", b.x, b.y,
                  b.w, b.h, fill);
    if (opacity < 1)
        sb_out_printf(out, " opacity=\"%.2f\"", opacity);
    sb_out_z(out, "/>\n");
}

static struct sb_str
fit(struct sb_str text, double room)
{
    size_t n = 0;
    for (double used = CHAR_WIDTH; n < text.n; used += CHAR_WIDTH) {
        uint32_t c;
        size_t step = sb_utf8_get(text.p + n, text.n - n, &c);
        if (used > room)
            break;
        n += step ? step : 1;
    }
    return sb_str_sub(text, 0, n);
}

void
sb_svg_text(struct sb_out *out, double x, double y, double room, struct sb_str text)
{
    struct sb_str shown = fit(text, room);
    if (shown.n < 3 && shown.n < text.n)
        return;
    sb_out_printf(out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#202020\">", x, y);
    sb_svg_escape(out, shown);
    sb_out_z(out, "</text>\n");
}

void
sb_svg_axis(struct sb_out *out, double y, int64_t from_ns, int64_t to_ns)
{
    for (int i = 0; i <= TICKS; i++) {
        double x = SB_SVG_LEFT + (SB_SVG_WIDTH - SB_SVG_LEFT - 60.0) * i / TICKS;
        int64_t at_ns = from_ns + (to_ns - from_ns) / TICKS * i;
        sb_svg_rect(out, (struct sb_svg_box){x, y, 1, 5}, "#808080", 1);
        sb_svg_text(out, x + 3, y + 14, 100, sb_str_of(sb_human(at_ns, SB_U_NS).text));
    }
}
