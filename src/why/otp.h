/* Tells the code of OTP, Elixir and strobe from the code of a program. */
#ifndef SB_WHY_OTP_H
#define SB_WHY_OTP_H
#include "base/arena.h"
#include "profile/profile.h"

bool sb_is_otp(struct sb_str mfa);  /* also takes a module */
bool sb_is_call(struct sb_str mfa); /* OTP waits for the reply to a request in it */
bool sb_is_loop(struct sb_str mfa); /* a behaviour waits for any message in it, as gen_server:loop/7 does */
bool sb_is_sleep(struct sb_str mfa);

/*
 * The program's part of a run. It starts with the first slice that shows a function outside OTP and Elixir,
 * or with the spawn of a process with such a function. It ends with the last event of the processes that ran
 * one; for a process that was killed or shut down, with the slice before its last. The process that boots the
 * node and then runs the command line of erl may be one of these. If it takes most of the time before, or sends more
 * messages than a command line needs, the part starts with its first slice after `user` was there: it loaded code or
 * waited for OTP.
 *
 * Code that erl_eval interprets, such as a script without `-mode(compile)`, shows functions of erl_eval alone. If there
 * is no other function of a program, these stand for it. If there are none of these either, as the program only waits
 * in functions of OTP, the process that runs the command line of erl stands for it.
 */
struct sb_program {
    int64_t from_ns, to_ns; /* SB_NULL: there is no such function */
    uint8_t *has;           /* by process.id: it ran such a function */
};
struct sb_program sb_program_find(const struct sb_profile *p, struct sb_arena *a);

#endif
