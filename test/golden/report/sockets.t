Requests over sockets: answered on those that a process accepted, made on those that it opened. Data that were there when a
process asked for them came before; what is set between two pieces of an answer is no request.
--- run
awk 'BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages,ports schedulers=2"
    for (p = 0; p < 2; p++) {
        who = "<0." 20 + p ".0>"; port = "#Port<0." 5 + p ">"
        printf "0us <0.9.0> s1 spawn child=%s mfa=shop:p/0\n", who
        if (p == 1) printf "1us %s s1 open owner=%s driver=tcp_inet\n", port, who
        else printf "1us %s s1 getting_linked by=%s\n", port, who
        for (i = 0; i < 24; i++) {
            t = 100 + i * 10000
            there = i % 4 == 3 # when it is asked for
            if (p == 0) {
                if (!there) printf "%dus %s s1 in\n%dus %s s1 out\n", t, port, t + 2, port
                else printf "%dus %s s1 in mfa=control\n%dus %s s1 out mfa=control\n", t, port, t + 2, port
                printf "%dus %s s1 in mfa=shop:p/0\n%dus %s s1 receive words=8 hash=%x\n", t + 10, who, t + 11, who, 2 * i
                if (i > 0) printf "%dus %s s1 receive words=3 hash=%x\n", t + 12, who, 2 * i + 1
                for (w = 0; w < 2; w++) {
                    printf "%dus %s s1 in mfa=command\n%dus %s s1 out mfa=command\n", t + 500 * (w + 1), port, t + 500 * (w + 1) + 5, port
                    if (w == 0) printf "%dus %s s1 in mfa=control\n%dus %s s1 out mfa=control\n", t + 700, port, t + 705, port
                }
                printf "%dus %s s1 out mfa=shop:p/0\n", t + 1100, who
            } else {
                printf "%dus %s s2 in mfa=shop:p/0\n%dus %s s2 in mfa=command\n%dus %s s2 out mfa=command\n%dus %s s2 out mfa=shop:p/0\n", t, who, t + 5, port, t + 6, port, t + 10, who
                printf "%dus %s s2 in\n%dus %s s2 out\n", t + 3005, port, t + 3006, port
            }
        }
    }
}' > T.unsorted
(head -n 1 T.unsorted; tail -n +2 T.unsorted | sort -n -s) > T.txt
COLUMNS=120 $STROBE report T.txt sockets
COLUMNS=120 $STROBE report T.txt | grep -A1 '^requests'
--- out
Requests over sockets, by 99th percentile
process   direction  processes  connections  requests      p50      p99      max    work  waiting  pid
shop:p/0  asked              1            1        24  3.00 ms  3.00 ms  3.00 ms      --       --  <0.21.0>
shop:p/0  answered           1            1        24  1.00 ms  1.00 ms  1.00 ms  990 us  7.67 us  <0.20.0>
-- unknown, and not shown: waits for
requests          24 over sockets, answered by shop:p/0 <0.20.0>: median 1.00 ms, 99th percentile 1.00 ms, longest
                  1.00 ms
requests made     24 over sockets, made by shop:p/0 <0.21.0>: median 3.00 ms, 99th percentile 3.00 ms, longest 3.00 ms

