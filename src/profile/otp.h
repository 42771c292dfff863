/* Tells the code of OTP, Elixir, rebar3 and strobe from the code of a program. */
#pragma once
#include "profile/profile.h"

/* The module of a function: 'Elixir.Enum':map/2 is in Elixir.Enum. */
struct sb_str sb_otp_module(struct sb_str mfa);
bool sb_is_otp(struct sb_str mfa);      /* also takes a module */
bool sb_is_call(struct sb_str mfa);     /* OTP waits for the reply to a request in it */
bool sb_is_response(struct sb_str mfa); /* the same, where other requests may have been sent since */
bool
sb_is_handed_on(struct sb_str mfa);   /* such a call: another process replies than the one that was asked */
bool sb_is_start(struct sb_str mfa);  /* a process waits in it for the init of one that it starts */
bool sb_is_loop(struct sb_str mfa);   /* a behaviour waits for any message in it, as gen_server:loop/7 does */
bool sb_is_accept(struct sb_str mfa); /* such a wait, for a connection */
bool sb_is_sleep(struct sb_str mfa);
enum { SB_SLEEPS = 2 };
/* The texts of the functions that only sleep; -1: a profile has it not. */
void sb_sleeps_find(const struct sb_profile *p, int64_t text[SB_SLEEPS]);

/* What a process with that entry does for a suite. */
enum sb_test_part {
    SB_TEST_NONE,
    SB_TEST_EXUNIT,         /* it runs one test */
    SB_TEST_EXUNIT_SETUP,   /* it runs the callbacks setup_all of a module */
    SB_TEST_EXUNIT_CLEANUP, /* it runs the callbacks on_exit of one test or of a module */
    SB_TEST_CT,             /* it runs one case or one function around cases, such as init_per_suite */
    SB_TEST_EUNIT_GROUP,    /* it runs the tests of a group */
    SB_TEST_EUNIT,          /* it is the group leader of a test, as long as its parent runs it */
};
enum sb_test_part sb_test_part(struct sb_str entry);
bool sb_is_test_framework(struct sb_str name_or_mfa); /* a module of ExUnit, Common Test or EUnit */
