/* The text form, both ways: whatever is written reads back as the same line. */
#include "trace/text.h"
#include "trace/kind.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const char *const lines[] = {
    "1500000 <0.85.0> s1 send to=<0.90.0> words=5 ext=12 hash=9af3",
    "2000000 <0.85.0> s1 out mfa=gen_server:loop/7",
    "2000000 #Port<0.5> - in mfa=command",
    "2000000 #Port<0.99999999999> - closed reason=normal",
    "1 <0.85.3> 3 send to=logger ext=0",
    "-5 <0.85.0> d1 send to=<0.9.0>@'b@my host'/77 words=0 at_least",
    "0 <0.85.0> i12 send to={reg,b@host} alias=1f alias",
    "1699999999999999999 <0.85.0> o1 receive words=3 timeout",
    "- <0.85.0> - call mfa='Elixir.Enum':'-map/2 fun-0-'/1 cp",
    "7 <0.85.0> - call mfa=erlang:'/'/2 cp=a:b/0",
    "7 <0.85.0> - call mfa='it\\'s':'\\n\\001\\\\'/2 cpu",
    "8 <0.85.0> s1 mark text=\"two words \\\"quoted\\\" \\x0a end\"",
    "8 <0.85.0> s1 exit reason=normal",
    "8 <0.85.0> s1 gc_minor_start heap=233 block=466 bin=0 old=12 mbuf=0 need=7",
    "8 - s2 profile_scheduler_active active=2",
    "9 - - sample item=run_queue key=\"1\" value=-3",
    "9 <0.268435455.16777215> - spawn child=<0.268435456.1> mfa=m:f/0 entry=g:h/255",
    "9 - - drop events=127",
};

static void
every_line_comes_back(void **state)
{
    (void)state;
    struct sb_names *names = sb_names_open();
    struct sb_out o;
    sb_out_to_memory(&o);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct sb_event ev;
        struct sb_err e = {0};
        if (!sb_text_read(sb_str_of(lines[i]), names, &ev, &e))
            fail_msg("%s: %s", lines[i], e.what);
        o.n = 0;
        sb_text_write(&o, names, &ev);
        sb_out_char(&o, '\0');
        o.buf[o.n - 2] = '\0';
        assert_string_equal(o.buf, lines[i]);
    }
    sb_out_abandon(&o);
    sb_names_close(names);
}

/* A line of each kind with each of its slots given. */
static void
every_kind_has_a_form(void **state)
{
    (void)state;
    struct sb_names *names = sb_names_open();
    struct sb_out o;
    sb_out_to_memory(&o);
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++) {
        struct sb_event ev = sb_event_of((enum sb_event_kind)k), back;
        struct sb_err e = {0};
        for (unsigned i = 0; i < sb_kinds[k].n_slots; i++) {
            enum sb_slot_type type = sb_kinds[k].slot[i].type;
            bool named = type == SB_SLOT_ATOM || type == SB_SLOT_TEXT || type == SB_SLOT_MFA;
            uint64_t v = named                 ? sb_names_text(names, SB_STR("a b"))
                         : type == SB_SLOT_PID ? sb_actor_make(SB_PID, 0, 1, 17)
                                               : i + 1;
            sb_slot_set(&sb_kinds[k].slot[i], &ev, v);
        }
        if (k == SB_EV_call)
            ev.flags = SB_EVF_HAS_CP;
        o.n = 0;
        sb_text_write(&o, names, &ev);
        if (!sb_text_read((struct sb_str){o.buf, o.n - 1}, names, &back, &e))
            fail_msg("%s: %s", sb_kinds[k].tag, e.what);
        assert_memory_equal(&ev, &back, sizeof ev);
    }
    sb_out_abandon(&o);
    sb_names_close(names);
}

static void
bad_lines_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "x",
                                      "1ms",
                                      "1ms <0.85.0> s1 nonsense",
                                      "1ms <0.8 - in",
                                      "1ms <0.85.0> q1 in",
                                      "1ms <0.85.0> - in mfa=a:b",
                                      "1ms <0.85.0> - in mfa=a:b/x",
                                      "1ms <0.85.0> - in what=1",
                                      "1ms <0.85.0> - in loud",
                                      "1ms <0.85.0> - send words=-1",
                                      "1ms <0.85.0> - send hash=xyz",
                                      "99999999999999999999 - - in"};
    struct sb_names *names = sb_names_open();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sb_event ev;
        struct sb_err e = {0};
        if (sb_text_read(sb_str_of(bad[i]), names, &ev, &e))
            fail_msg("taken: %s", bad[i]);
        assert_int_equal(e.code, SB_ERR_INPUT);
        assert_true(e.what[0] && e.advice[0]);
    }
    sb_names_close(names);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_line_comes_back),
                                       cmocka_unit_test(every_kind_has_a_form),
                                       cmocka_unit_test(bad_lines_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
