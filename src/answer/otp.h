/* Whose code a function is: OTP's, Elixir's or strobe's own, or a program's. */
#ifndef SB_ANSWER_OTP_H
#define SB_ANSWER_OTP_H
#include "base/arena.h"
#include "profile/profile.h"

bool sb_is_otp(struct sb_str mfa); /* or a module */
bool sb_is_call(struct sb_str mfa); /* there OTP waits for the answer to a request */
bool sb_is_loop(struct sb_str mfa); /* there a behaviour waits for whatever comes, as gen_server:loop/7 does */
bool sb_is_sleep(struct sb_str mfa);

/*
 * The program's part of a run: from the first slice in which a function outside OTP and Elixir was seen, or the spawn of a
 * process with such a function, to the last that is known of the processes that did so.
 */
struct sb_program {
    int64_t from_ns, to_ns; /* SB_NULL: no such function was seen */
    uint8_t *has;           /* by process.id: it ran such a function */
};
struct sb_program sb_program_find(const struct sb_profile *p, struct sb_arena *a);

#endif
