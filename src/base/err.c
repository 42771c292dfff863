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

/* One line whatever the text holds: a file name may contain a line end. */
static void
print_flat(const char *z, FILE *to)
{
    for (; *z; z++)
        fputc((unsigned char)*z < ' ' || *z == 0x7f ? '?' : *z, to);
}

void
sb_err_print(const struct sb_err *e, FILE *to)
{
    fputs("strobe: ", to);
    if (e->file[0]) {
        print_flat(e->file, to);
        fputs(": ", to);
    }
    print_flat(e->what, to);
    if (e->at_byte != SB_NO_BYTE)
        fprintf(to, ", at byte %" PRIu64, e->at_byte);
    if (e->advice[0]) {
        fputs(": ", to);
        print_flat(e->advice, to);
    }
    fputc('\n', to);
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
