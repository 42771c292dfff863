#include "profile/otp.h"

static const char *const modules[] = {
#include "profile/otp_modules.def"
};
static const char *const prefixes[] = {"wx",  "strobe", "Elixir.Strobe", "Elixir.Mix.Tasks.Strobe", "rebar",
                                       "r3_", "rlx_",   "cth_readable",  "eunit_progress"};
#define HANDED_ON "httpc:handle_answer/3"
static const char *const calls[] = {"gen:do_call/4",          "gen:do_call/5", "gen_server:rec_nodes/2",
                                    "io:wait_io_mon_reply/2", "erpc:call/5",   HANDED_ON};

/* A process may wait in them for several replies at a time. */
static const char *const responses[] = {"gen:wait_response/", "gen:receive_response/", "erpc:wait_response/",
                                        "erpc:receive_response/"};
#define ACCEPT "prim_inet:accept"
static const char *const loops[] = {"gen_server:loop",
                                    "gen_server2:process_next_msg",
                                    "gen_statem:loop",
                                    "gen_fsm:loop",
                                    "gen_event:fetch_msg",
                                    "proc_lib:hibernate",
                                    "erlang:hibernate",
                                    ACCEPT,
                                    "application_master:main_loop",
                                    "application_master:loop_it"};

struct sb_str
sb_otp_module(struct sb_str mfa)
{
    if (mfa.n > 0 && mfa.p[0] == '\'') {
        struct sb_str rest = sb_str_sub(mfa, 1, SIZE_MAX);
        return sb_str_cut(&rest, '\'');
    }
    return sb_str_cut(&mfa, ':');
}

bool
sb_is_otp(struct sb_str mfa)
{
    struct sb_str module = sb_otp_module(mfa);
    size_t from = 0, to = sizeof modules / sizeof *modules;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (sb_str_starts(module, sb_str_of(prefixes[i])))
            return true;
    while (from < to) {
        size_t mid = (from + to) / 2;
        int c = sb_str_cmp(module, sb_str_of(modules[mid]));
        if (c == 0)
            return true;
        if (c < 0)
            to = mid;
        else
            from = mid + 1;
    }
    return false;
}

bool
sb_is_call(struct sb_str mfa)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (sb_str_eq(mfa, sb_str_of(calls[i])))
            return true;
    return sb_is_response(mfa);
}

bool
sb_is_start(struct sb_str mfa)
{
    return sb_str_starts(mfa, SB_STR("proc_lib:sync_start"));
}

bool
sb_is_response(struct sb_str mfa)
{
    for (size_t i = 0; i < sizeof responses / sizeof *responses; i++)
        if (sb_str_starts(mfa, sb_str_of(responses[i])))
            return true;
    return false;
}

bool
sb_is_handed_on(struct sb_str mfa)
{
    return sb_str_eq(mfa, SB_STR(HANDED_ON));
}

bool
sb_is_loop(struct sb_str mfa)
{
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (sb_str_starts(mfa, sb_str_of(loops[i])))
            return true;
    return false;
}

bool
sb_is_accept(struct sb_str mfa)
{
    return sb_str_starts(mfa, SB_STR(ACCEPT));
}

static const char *const sleeps[SB_SLEEPS] = {"timer:sleep/1", "'Elixir.Process':sleep/1"};

bool
sb_is_sleep(struct sb_str mfa)
{
    return sb_str_eq(mfa, sb_str_of(sleeps[0])) || sb_str_eq(mfa, sb_str_of(sleeps[1]));
}

void
sb_sleeps_find(const struct sb_profile *p, int64_t text[SB_SLEEPS])
{
    for (int i = 0; i < SB_SLEEPS; i++)
        text[i] = sb_profile_find_text(p, sb_str_of(sleeps[i]));
}

enum sb_test_part
sb_test_part(struct sb_str entry)
{
    static const struct {
        const char *module, *function; /* a part of its name */
        enum sb_test_part part;
    } parts[] = {
        {"Elixir.ExUnit.Runner", "-spawn_test", SB_TEST_EXUNIT},
        {"Elixir.ExUnit.Runner", "setup_all/", SB_TEST_EXUNIT_SETUP},
        {"Elixir.ExUnit.Runner", "-spawn_module_monitor/", SB_TEST_EXUNIT_SETUP},
        {"Elixir.ExUnit.OnExitHandler", "on_exit_runner", SB_TEST_EXUNIT_CLEANUP},
        {"test_server", "-run_test_case_eval", SB_TEST_CT},
        {"eunit_proc", "-insulator_process/", SB_TEST_EUNIT_GROUP},
        {"eunit_proc", ":group_leader_process/", SB_TEST_EUNIT},
    };
    struct sb_str module = sb_otp_module(entry);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (sb_str_eq(module, sb_str_of(parts[i].module)) && sb_str_has(entry, sb_str_of(parts[i].function)))
            return parts[i].part;
    return SB_TEST_NONE;
}

bool
sb_is_test_framework(struct sb_str name_or_mfa)
{
    static const char *const of[] = {"Elixir.ExUnit", "test_server", "ct_", "cth_", "eunit"};
    struct sb_str module = sb_otp_module(name_or_mfa);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (sb_str_starts(module, sb_str_of(of[i])) && sb_is_otp(module))
            return true;
    return false;
}
