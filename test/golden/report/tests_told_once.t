Modules of tests that work one at a time are told once, by their modules. A test that waits for a server which sleeps is a
finding as one that sleeps itself. Of tests that work the finding names the function of the program rather than a NIF.
--- run
trace() { # WHAT each test does
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.50.0> mfa='Elixir.Shop.Repo':init/1"
    echo "0 <0.50.0> s1 spawned parent=<0.9.0> mfa='Elixir.Shop.Repo':init/1"
    echo "0 <0.50.0> s2 in mfa=gen_server:loop/7"
    echo "1 <0.50.0> s2 out mfa=gen_server:loop/7"
    awk -v what="$1" 'BEGIN {
        q = "\047"; ms = 1000000
        for (i = 0; i < 4; i++) {
            t = ms + i * 203 * ms; m = "<0.2" i ".0>"; p = "<0.3" i ".0>"
            runner = "mfa=" q "Elixir.ExUnit.Runner" q ":"; a_test = "mfa=" q "Elixir.Shop" i "Test" q ":" q "test adds" q "/1"
            printf "%d <0.8.0> s1 spawn child=%s %s%s-spawn_modules/3-fun-0-%s/2\n", t, m, runner, q, q
            printf "%d %s s1 in %s%s-spawn_modules/3-fun-0-%s/2\n", t + 1, m, runner, q, q
            printf "%d %s s1 spawn child=%s %s%s-spawn_test_monitor/4-fun-1-%s/4\n", t + 2, m, p, runner, q, q
            printf "%d %s s1 out %sspawn_test/3\n", t + 3, m, runner
            printf "%d %s s1 in %s\n", t + 4, p, a_test
            if (what == "asks") {
                for (k = 0; k < 2; k++) {
                    u = t + 100 * ms * k; h = 16 * i + 2 * k + 1
                    if (k) printf "%d %s s1 in mfa=gen:do_call/4\n%d %s s1 receive words=9 hash=c%x\n", u + 20, p, u + 21, p, h - 2
                    printf "%d %s s1 send to=<0.50.0> words=9 hash=b%x\n%d %s s1 out mfa=gen:do_call/4\n", u + 30, p, h, u + 40, p
                    printf "%d <0.50.0> s2 in mfa=gen_server:loop/7\n%d <0.50.0> s2 receive words=9 hash=b%x\n%d <0.50.0> s2 out mfa=%sElixir.Process%s:sleep/1\n", u + 50, u + 51, h, u + 60, q, q
                    v = t + 100 * ms * (k + 1)
                    printf "%d <0.50.0> s2 in mfa=%sElixir.Process%s:sleep/1\n%d <0.50.0> s2 receive words=1 timeout\n", v, q, q, v + 1
                    printf "%d <0.50.0> s2 send to=%s words=9 hash=c%x\n%d <0.50.0> s2 out mfa=gen_server:loop/7\n", v + 5, p, h, v + 10
                }
                printf "%d %s s1 in mfa=gen:do_call/4\n%d %s s1 receive words=9 hash=c%x\n", v + 20, p, v + 21, p, h
            }
            t += 201 * ms
            printf "%d %s s1 exit reason=shutdown\n%d %s s1 out_exited\n", t, p, t + 1, p
            printf "%d %s s1 in %sspawn_test/3\n%d %s s1 exit reason=normal\n%d %s s1 out_exited\n", t + 2, m, runner, t + 3, m, t + 4, m
        }
    }'
}
for what in works asks; do
    trace $what > $what.txt
    echo "== $what"
    COLUMNS=120 $STROBE report $what.txt findings | grep -A2 '^[0-9]'
done
echo "== works, with samples in a NIF"
{
    sed -n '1s/messages/messages,cpu/p' works.txt
    echo '0 - - thread name="1_scheduler" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0'
    echo '0 - - cpu_frame name="shop:hash/2" number=1 caller=0 kind=0'
    echo '0 - - cpu_frame name="crypto.so:mac_nif" number=2 caller=1 kind=1'
    awk 'BEGIN { for (i = 1; i < 200; i++) printf "%d - - cpu_sample tid=41 stack=2\n", i * 4000000 }'
    sed 1d works.txt
} | sort -n -s > samples.txt
COLUMNS=120 $STROBE report samples.txt findings | grep -A2 serial_phase
--- out
== works
1. serial_tests: a cure saves at most 402 ms; confidence medium
   4 modules of tests ran one at a time for 804 ms; the longest, Shop0Test, took 201 ms
   cure: use ExUnit.Case, async: true in modules that share no state with others
--
2. serial_phase: a cure saves at most 201 ms; confidence medium
   test "adds" of Shop0Test <0.30.0> was the only process at work for 201 ms, 25 % of the program's time (others in turn
   for 74 %)
== asks
1. sleeping_tests: a cure saves at most 800 ms; confidence high
   4 tests waited 800 ms of 811 ms for servers that waited themselves; the longest, "adds" of Shop0Test, for 200 ms for
   Shop.Repo.init/1 <0.50.0>
--
2. serial_tests: a cure saves at most 603 ms; confidence medium
   4 modules of tests ran one at a time for 804 ms; the longest, Shop0Test, took 201 ms
   cure: use ExUnit.Case, async: true in modules that share no state with others
== works, with samples in a NIF
2. serial_phase: a cure saves at most 201 ms; confidence medium
   test "adds" of Shop0Test <0.30.0> was the only process at work for 201 ms, 25 % of the program's time (others in turn
   for 74 %); :shop.hash/2, with what it called of OTP or Elixir, took 100 % of the CPU time of that process
