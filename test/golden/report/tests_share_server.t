Tests that stand in the queue of one server need a server for each, and no shorter timeouts.
--- run
# 4 tests ask 5 times each; the server sleeps for 10 ms in each request, so that the other 3 wait before one is served
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk 'BEGIN {
        q = "\047"; ms = 1000000; runner = "mfa=" q "Elixir.ExUnit.Runner" q ":"; sleep = "mfa=" q "Elixir.Process" q ":sleep/1"
        print "0 <0.9.0> s1 spawn child=<0.50.0> mfa=shop_db:init/1\n0 <0.50.0> s1 spawned parent=<0.9.0> mfa=shop_db:init/1"
        print "0 <0.50.0> s2 in mfa=gen_server:loop/7\n1 <0.50.0> s2 out mfa=gen_server:loop/7"
        for (i = 0; i < 4; i++) {
            t = 1000 + 100 * i; m = "<0.2" i ".0>"; p = "<0.3" i ".0>"
            printf "%d <0.8.0> s1 spawn child=%s %s%s-spawn_modules/3-fun-0-%s/2\n", t, m, runner, q, q
            printf "%d %s s1 in %s%s-spawn_modules/3-fun-0-%s/2\n", t + 1, m, runner, q, q
            printf "%d %s s1 spawn child=%s %s%s-spawn_test_monitor/4-fun-1-%s/4\n", t + 2, m, p, runner, q, q
            printf "%d %s s1 out %sspawn_test/3\n", t + 3, m, runner
            printf "%d %s s1 in mfa=%sElixir.Shop%dTest%s:%stest adds%s/1\n", t + 4, p, q, i, q, q, q
            printf "%d %s s1 send to=<0.50.0> words=9 hash=b%x\n%d %s s1 out mfa=gen:do_call/4\n", t + 5, p, i + 1, t + 6, p
        }
        for (r = 0; r <= 20; r++) {
            t = ms + r * 10 * ms; i = (r + 3) % 4; m = "<0.2" i ".0>"; p = "<0.3" i ".0>"
            printf "%d <0.50.0> s2 in %s\n", t, r ? sleep : "mfa=gen_server:loop/7"
            if (r) printf "%d <0.50.0> s2 receive words=1 timeout\n%d <0.50.0> s2 send to=%s words=9 hash=c%x\n", t + 1, t + 2, p, r
            for (i = 1; !r && i <= 4; i++) printf "%d <0.50.0> s2 receive words=9 hash=b%x\n", t + 3, i
            printf "%d <0.50.0> s2 out %s\n", t + 4, r < 20 ? sleep : "mfa=gen_server:loop/7"
            if (!r) continue
            printf "%d %s s1 in mfa=gen:do_call/4\n%d %s s1 receive words=9 hash=c%x\n", t + 10, p, t + 11, p, r
            if (r <= 16) {
                printf "%d %s s1 send to=<0.50.0> words=9 hash=b%x\n%d %s s1 out mfa=gen:do_call/4\n", t + 12, p, r + 4, t + 13, p
                printf "%d <0.50.0> s2 in %s\n%d <0.50.0> s2 receive words=9 hash=b%x\n%d <0.50.0> s2 out %s\n", t + 20, sleep, t + 21, r + 4, t + 22, sleep
            } else {
                printf "%d %s s1 exit reason=shutdown\n%d %s s1 out_exited\n", t + 12, p, t + 13, p
                printf "%d %s s1 in %sspawn_test/3\n%d %s s1 receive words=5 hash=d%d\n", t + 14, m, runner, t + 15, m, i
                printf "%d %s s1 exit reason=normal\n%d %s s1 out_exited\n", t + 16, m, t + 17, m
            }
        }
    }'
}
trace > T.txt
COLUMNS=120 $STROBE report T.txt findings | sed -n 1,8p
--- out
1. sleeping_tests: a cure saves at most 200 ms; confidence high
   4 tests waited 744 ms in all for servers that waited themselves; the longest, "adds" of Shop3Test, for 201 ms for
   :shop_db.init/1 <0.50.0>, where a request stood in the queue for 27.2 ms of 37.2 ms on average
   cure: start a server, such as a connection, for each test in its setup, or several and let each test take one that is
   free
   in Elixir: start a server, such as a connection, for each test with start_supervised in its setup, or several and let
   each test take one that is free, as of a pool
   see: strobe query T.sbp "SELECT name, module, file, line, wait_ns, who(waits_for) FROM test ORDER BY wait_ns DESC
