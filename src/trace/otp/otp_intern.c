/* Maps the bytes of an atom in a file to its id in the dictionary. */
#include "base/utf8.h"
#include "trace/otp/otp_impl.h"

/* The dictionary stores UTF-8 only. A Latin-1 atom has at most 255 characters, but the format allows more. */
uint32_t
otp_intern(struct otp_decoder *d, const uint8_t *raw, uint32_t n)
{
    uint32_t header = raw[0] == SB_ETF_SMALL_ATOM_UTF8 || raw[0] == SB_ETF_SMALL_ATOM ? 2 : 3;
    /* a file that is truncated while it is read turns into zeros, so the length that was checked may be
     * gone */
    struct sb_str text = {(const char *)raw + header, n > header ? n - header : 0};
    bool ascii = true;
    for (size_t i = 0; i < text.n; i++)
        ascii &= (uint8_t)text.p[i] < 0x80;
    if (ascii || raw[0] == SB_ETF_ATOM_UTF8 || raw[0] == SB_ETF_SMALL_ATOM_UTF8)
        return sb_names_atom(d->names, text);
    char utf8[2 * 1024];
    size_t at = 0;
    for (size_t i = 0; i < text.n && at + 4 <= sizeof utf8; i++)
        at += sb_utf8_put(utf8 + at, (uint8_t)text.p[i]);
    return sb_names_atom(d->names, (struct sb_str){utf8, at});
}
