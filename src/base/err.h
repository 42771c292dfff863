/*
 * Errors travel up as `bool` + struct sb_err; only a command prints one, as a single line:
 *     strobe: FILE: what is wrong, at byte N: what to do
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum sb_err_code { SB_OK, SB_ERR_INPUT, SB_ERR_SYSTEM, SB_ERR_USAGE, SB_ERR_LIMIT };

#define SB_NO_BYTE UINT64_MAX

struct sb_err {
    enum sb_err_code code;
    uint64_t at_byte; /* SB_NO_BYTE when no position applies */
    char file[256];   /* empty when no file applies; cut with "..." when longer */
    char what[256];   /* what is wrong, lower case, no full stop */
    char advice[512]; /* what to do about it; may be empty */
};

/* All return false, so that a function can end in `return sb_err_set(...)`. A NULL e is allowed. */
bool sb_err_set(struct sb_err *e, enum sb_err_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool sb_err_errno(struct sb_err *e, const char *doing); /* SB_ERR_SYSTEM from errno: "cannot DOING: REASON" */
bool sb_err_in(struct sb_err *e, const char *file,
               uint64_t at_byte); /* adds the place, unless one is set already */
bool sb_err_advise(struct sb_err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sb_err_print(const struct sb_err *e, FILE *to);
int sb_err_exit_code(const struct sb_err *e); /* 0 done, 1 input or system, 2 usage, 3 limit */

#define SB_TRY(call) \
    do { \
        if (!(call)) \
            return false; \
    } while (0)

/* An assert that stays on: a broken invariant is a bug of ours, never bad input. */
#define SB_ASSERT(cond) ((cond) ? (void)0 : sb_assert_failed(#cond, __FILE__, __LINE__))
_Noreturn void sb_assert_failed(const char *cond, const char *file, int line);
