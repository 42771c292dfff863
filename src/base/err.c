#include "base/err.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool
sb_err_set(struct sb_err *e, enum sb_err_code code, const char *fmt, ...)
{
    if (!e)
        return false;
    *e = (struct sb_err){.code = code, .at_byte = SB_NO_BYTE};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e->what, sizeof e->what, fmt, ap);
    va_end(ap);
    return false;
}

bool
sb_err_errno(struct sb_err *e, const char *doing)
{
    return sb_err_set(e, SB_ERR_SYSTEM, "cannot %s: %m", doing);
}

bool
sb_err_in(struct sb_err *e, const char *file, uint64_t at_byte)
{
    if (!e)
        return false;
    if (e->file[0] == '\0' && file && (size_t)snprintf(e->file, sizeof e->file, "%s", file) >= sizeof e->file)
        memcpy(e->file + sizeof e->file - 4, "...", 4);
    if (e->at_byte == SB_NO_BYTE)
        e->at_byte = at_byte;
    return false;
}

bool
sb_err_advise(struct sb_err *e, const char *fmt, ...)
{
    if (!e)
        return false;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e->advice, sizeof e->advice, fmt, ap);
    va_end(ap);
    return false;
}

/* One line whatever the text holds, as a file name may contain a line end; and one write, as other processes may write
 * to the same terminal. */
void
sb_err_print(const struct sb_err *e, FILE *to)
{
    char line[sizeof e->file + sizeof e->what + sizeof e->advice + 64], at[40] = "";
    if (e->at_byte != SB_NO_BYTE)
        snprintf(at, sizeof at, ", at byte %" PRIu64, e->at_byte);
    int n = snprintf(line, sizeof line, "strobe: %s%s%s%s%s%s", e->file, e->file[0] ? ": " : "", e->what, at,
                     e->advice[0] ? ": " : "", e->advice);
    for (int i = 0; i < n; i++)
        line[i] = (unsigned char)line[i] < ' ' || line[i] == 0x7f ? '?' : line[i];
    line[n] = '\n';
    fwrite(line, 1, (size_t)n + 1, to);
}

int
sb_err_exit_code(const struct sb_err *e)
{
    static const int exit_code[] = {
        [SB_OK] = 0, [SB_ERR_INPUT] = 1, [SB_ERR_SYSTEM] = 1, [SB_ERR_USAGE] = 2, [SB_ERR_LIMIT] = 3};
    return exit_code[e->code];
}

void
sb_assert_failed(const char *cond, const char *file, int line)
{
    fprintf(stderr, "strobe: broken invariant %s (%s:%d): please report this with the input that caused it\n",
            cond, file, line);
    abort();
}
