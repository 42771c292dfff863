Tests are started alike and one at a time, yet they are not parts of one work: the one that works most is named for its work, those that
sleep for their sleep.
--- run
# 12 cases of Common Test, 12 ms each: the third one works for 60 ms, the others wait for a timer
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    awk 'BEGIN {
        t = 1000
        for (i = 0; i < 12; i++) {
            pid = "<0." 20 + i ".0>"
            printf "%d <0.9.0> s1 in mfa=test_server:run_test_case_eval/9\n%d <0.9.0> s1 spawn child=%s mfa=test_server:%s-run_test_case_eval_fun/9-fun-0-%s/9\n%d <0.9.0> s1 out mfa=test_server:run_test_case_eval/9\n", t, t + 10, pid, "\047", "\047", t + 20
            printf "%d %s s2 in mfa=shop_SUITE:all/0\n", t + 30, pid
            if (i == 2) { u = t + 60000000; f = "shop_SUITE:adds/1"; printf "%d %s s2 out mfa=%s\n%d %s s2 in mfa=%s\n", u, pid, f, u + 50, pid, f }
            else { u = t + 12000000; printf "%d %s s2 out mfa=timer:sleep/1\n%d %s s2 in mfa=timer:sleep/1\n%d %s s2 receive words=1 timeout\n", t + 100, pid, u, pid, u + 10, pid }
            printf "%d %s s2 send to=<0.9.0> words=3 hash=%x\n%d %s s2 exit reason=normal\n%d %s s2 out_exited\n", u + 100, pid, i + 1, u + 200, pid, u + 210, pid
            t = u + 1000
            printf "%d <0.9.0> s1 in mfa=test_server:run_test_case_eval/9\n%d <0.9.0> s1 receive words=3 hash=%x\n%d <0.9.0> s1 out mfa=test_server:run_test_case_eval/9\n", t, t + 5, i + 1, t + 10
            t += 20
        }
    }'
} > T.txt
$STROBE query T.txt "SELECT rule, title FROM finding" --format csv
--- out
rule,title
sleeping_tests,"11 tests slept 132 ms of 192 ms, setup included; the longest, in <0.20.0> of shop_SUITE, for 12.0 ms in timer:sleep/1"
serial_phase,"shop_SUITE:adds/1 <0.22.0> was the only process at work for 60.0 ms, 31 % of the program's time"
