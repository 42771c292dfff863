/* Finds the place after damage where reading can resume: the next plausible frame that leads to another. */
#include "trace/otp/otp_frame.h"

bool
otp_is_head(const uint8_t *p, uint64_t left)
{
    static const char *const heads[] = {"trace_ts", "trace", "profile", "seq_trace", "schedulers"};
    if (left < 4 || !otp_is_atom(p[0]))
        return false;
    const uint8_t *text = p + (p[0] == SB_ETF_ATOM || p[0] == SB_ETF_ATOM_UTF8 ? 3 : 2);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if ((uint64_t)(p + left - text) >= strlen(heads[i]) && memcmp(text, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/* Returns whether reading can resume here: at a frame with a tuple of a known head that leads to another,
 * or at the end. */
static bool
plausible(const struct sb_file *f, uint64_t at)
{
    uint64_t next, ignored;
    if (otp_look(f, at, &next) != OTP_FRAME || next - at < OTP_HEADER + 6 ||
        !otp_is_head(f->p + at + 8, next - at - 8))
        return false;
    return otp_look(f, next, &ignored) != OTP_BAD;
}

uint64_t
otp_resynchronise(const struct sb_file *f, uint64_t from, uint64_t to)
{
    uint64_t last = f->n > OTP_HEADER + 1 ? f->n - OTP_HEADER - 1 : 0, end = to < last ? to : last;
    for (uint64_t at = from; at < end; at++) {
        const uint8_t *found = memchr(f->p + at + OTP_HEADER, SB_ETF_VERSION, end - at);
        if (!found)
            return to;
        at = (uint64_t)(found - f->p) - OTP_HEADER;
        if (found[1] == SB_ETF_SMALL_TUPLE && plausible(f, at))
            return at;
    }
    return to;
}
