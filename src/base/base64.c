#include "base/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void
sb_base64_write(struct sb_out *out, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        uint32_t v =
            (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) | (left > 2 ? p[i + 2] : 0);
        sb_out_char(out, digits[v >> 18]);
        sb_out_char(out, digits[v >> 12 & 63]);
        sb_out_char(out, left > 1 ? digits[v >> 6 & 63] : '=');
        sb_out_char(out, left > 2 ? digits[v & 63] : '=');
    }
}

/* Returns 64 for a character that is no digit. */
static uint32_t
value_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? (uint32_t)(c - 'A')
           : c >= 'a' && c <= 'z' ? (uint32_t)(c - 'a') + 26
           : c >= '0' && c <= '9' ? (uint32_t)(c - '0') + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : 64;
}

bool
sb_base64_read(struct sb_out *out, struct sb_str text)
{
    uint32_t v = 0;
    unsigned bits = 0;
    if (text.n % 4 != 0)
        return false;
    for (unsigned pads = 0; pads < 2 && text.n > 0 && text.p[text.n - 1] == '='; pads++)
        text.n--;
    for (size_t i = 0; i < text.n; i++) {
        uint32_t digit = value_of(text.p[i]);
        if (digit == 64)
            return false;
        v = v << 6 | digit;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            sb_out_char(out, (char)(v >> bits & 255));
        }
    }
    return true;
}
