A path that is mostly waiting says in words what set the length, in text and data: a timer, with the place of the test that sleeps; a message that no process sent, and who may have; an external program; nothing, where the program goes on.
A process that looks again and again with sleeps between waits for the work that ended during the last sleep; one that sleeps while others work on does not.
--- run
head='@meta node=nonode@nohost creation=1 recorded=procs,running,messages,ports schedulers=2'
wait_in() { # FUNCTION LAST: 900 ms in it, ended by the event LAST
    printf '%s\n' "$head" "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:main/0" "0 <0.20.0> s1 in mfa=shop:main/0" "$3" \
        "1ms <0.20.0> s1 out mfa=$1" "901ms <0.20.0> s1 in mfa=$1" "901ms <0.20.0> s1 receive words=3 $2" \
        "902ms <0.20.0> s1 exit reason=normal" | sed '/^$/d'
}
note() { COLUMNS=200 $STROBE report $1.txt critical | grep '^--'; }
wait_in shop:main/0 timeout > timer.txt; note timer
$STROBE report timer.sbp critical --format json | tr , '\n' | grep note | sed 's/[]} ]*$//' | sort | uniq -c
wait_in shop:main/0 hash=1 > message.txt; note message
wait_in shop:main/0 hash=1 '0 #Port<0.5> s1 open owner=<0.20.0> driver=tcp_inet' > port.txt; note port
wait_in os:get_data/6 hash=1 > program.txt; note program
# a test, with the marks of Strobe.Formatter
cat > test.txt <<'T'
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.8.0> s1 spawn child=<0.9.0> mfa='Elixir.ExUnit.Runner':'-spawn_modules/3-fun-0-'/2
0 <0.9.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_modules/3-fun-0-'/2
200us <0.7.0> s2 mark text="test ShopTest-waits at test/shop_test.exs:7"
1ms <0.9.0> s1 spawn child=<0.21.0> mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
1ms <0.9.0> s1 out mfa='Elixir.ExUnit.Runner':spawn_test/3
1ms <0.21.0> s1 in mfa='Elixir.ExUnit.Runner':'-spawn_test_monitor/4-fun-1-'/4
2ms <0.21.0> s1 out mfa='Elixir.Process':sleep/1
702ms <0.21.0> s1 in mfa='Elixir.Process':sleep/1
702ms <0.21.0> s1 receive words=1 timeout
703ms <0.21.0> s1 exit reason=shutdown
703ms <0.7.0> s2 mark text="test ShopTest-waits passed"
T
note test
# <0.20.0> looks every 50 ms until <0.21.0> has worked for 420 ms, or for all of the time
polls() { # MS
    printf '%s\n' "$head" "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:main/0" "0 <0.20.0> s1 in mfa=shop:main/0" \
        "10us <0.20.0> s1 spawn child=<0.21.0> mfa=shop:work/0" "100us <0.21.0> s2 in mfa=shop:work/0"
    awk -v to="$1" 'BEGIN {
        for (t = 1000000; t < 450000000; t += 50000000) {
            printf "%d <0.20.0> s1 out mfa=timer:sleep/1\n%d <0.20.0> s1 in mfa=timer:sleep/1\n", t, t + 49000000
            printf "%d <0.20.0> s1 receive words=1 timeout\n", t + 49000000
        }
        printf "%d <0.21.0> s2 exit reason=normal\n%d <0.20.0> s1 exit reason=normal\n", to * 1000000, 700000000
    }'
}
for ms in 420 600; do
    polls $ms > polls.txt
    $STROBE query polls.txt "SELECT who(process) AS who, kind, who(peer) AS peer, dur FROM critical WHERE dur > 25000000 ORDER BY start LIMIT 3" --format csv
done
--- out
-- a timer set this length: shop:main/0 <0.20.0> waited 900 ms of 902 ms in shop:main/0
      1     "note": "a timer set this length: shop:main/0 <0.20.0> waited 900 ms of 902 ms in shop:main/0"
      2     "note": null
-- a message that no process sent set this length: shop:main/0 <0.20.0> waited 900 ms of 902 ms in shop:main/0; it came from a timer or native code
-- a message that no process sent set this length: shop:main/0 <0.20.0> waited 900 ms of 902 ms in shop:main/0; it came from a timer, a port or native code
-- an external program set this length: shop:main/0 <0.20.0> waited 900 ms of 902 ms in os:get_data/6 (os:cmd)
-- a timer set this length: anonymous fn/4 in ExUnit.Runner.spawn_test_monitor/4 <0.21.0> waited 700 ms of 703 ms in Process.sleep/1, in the test "waits" (test/shop_test.exs:7)
who,kind,peer,dur
shop:work/0,run,,419900000
shop:main/0,timer,shop:work/0,29998000
shop:main/0,run,,250000000
who,kind,peer,dur
shop:main/0,timer,,48998000
shop:main/0,timer,,48998000
shop:main/0,timer,,48998000
