Where the source of functions stands: of those that events name and of those that only samples of the CPU show. Two
nodes, or two recordings, that differ tell nothing.
--- run
trace() { # NODE, LINE of crunch/1
    echo "@meta node=$1@h creation=$2 schedulers=1 recorded=procs,running,calls,cpu"
    cat << END
1000 <0.9.0> s1 spawned parent=<0.1.0> mfa=shop:start/0
1000 <0.9.0> s1 in mfa=shop:start/0
1000 - - thread name="1_scheduler" tid=41 cpu=0 queue=0 voluntary=0 involuntary=0
1000 - - waits mfa=shop:start/0 kind=0 file="src/shop.erl" line=12
1000 - - waits mfa=shop:wait/1 kind=1 file="src/shop.erl" line=30
1000 - - waits mfa=shop:old/1 kind=0
1100 - - cpu_frame name="shop:start/0" number=1 caller=0 kind=0
1100 - - cpu_frame name="shop:crunch/1" number=2 caller=1 kind=0
1100 - - cpu_frame name="beam.smp:garbage_collect" number=3 caller=2 kind=1
1100 - - place frame=2 file="src/shop.erl" line=$3
1100 - - place frame=7 file="src/gone.erl" line=1
END
    awk 'BEGIN { for (i = 0; i < 60; i++) printf "%d - - cpu_sample tid=41 stack=%d\n", 1200 + i * 1000000, 2 + (i % 3 == 0) }'
    echo "60001000 <0.9.0> s1 call mfa=shop:wait/1"
    echo "60001100 <0.9.0> s1 return_to mfa=shop:start/0"
    echo "60002000 <0.9.0> s1 out mfa=shop:wait/1"
    echo "160002000 <0.9.0> s1 in mfa=shop:wait/1"
    echo "160003000 <0.9.0> s1 out_exited"
    echo "160003000 <0.9.0> s1 exit reason=normal"
}
trace a 1 20 > a.txt
trace b 2 21 > b.txt
$STROBE analyze a.txt >/dev/null
COLUMNS=120 $STROBE report a.sbp cpu
$STROBE report a.sbp functions --format csv | tr -d '\r' | sed 's/.*\(function\|shop\)/\1/'
COLUMNS=120 $STROBE report a.sbp | grep -A1 '^waiting'
$STROBE report a.sbp moment --process '<0.9.0>' --since 10ms --format json | grep -o '"out_function":[^,]*\|"place":[^,}]*' | head -2
$STROBE analyze -o ab.sbp a.txt b.txt >/dev/null
$STROBE query ab.sbp "SELECT f, place(f) AS place FROM (SELECT 'shop:start/0' AS f UNION SELECT 'shop:crunch/1' UNION SELECT 'shop:wait/1' UNION SELECT 'no:such/1')" --format csv
$STROBE merge ab.sbp -o again.sbp >/dev/null
$STROBE query again.sbp "SELECT place('shop:start/0') AS start, place('shop:old/1') AS old, place(NULL) AS none" --format csv
for to in speedscope firefox pprof; do
    $STROBE export a.sbp --to $to --what cpu -o x.$to > /dev/null
    { gzip -dc x.$to 2>/dev/null || cat x.$to; } | grep -aoc src/shop.erl
done
--- out
Functions by samples of the CPU, by samples of their own
  self%   error%    total%  self  total  processes  function                  place
66.67 %  11.61 %  100.00 %    40     60          1  shop:crunch/1             src/shop.erl:20
33.33 %  11.61 %   33.33 %    20     20          1  beam.smp:garbage_collect  --
 0.00 %   3.01 %  100.00 %     0     60          1  shop:start/0              src/shop.erl:12
-- functions of Erlang, with what the VM did for them: shop:crunch/1 at src/shop.erl:20 100 % (60 samples: within 13
   points)
function,place,id
shop.erl:12,1
shop.erl:30,2
waiting           for 100 ms of the program nothing was at work or ready; shop:start/0 <0.9.0> waited 100 ms in
                  shop:wait/1 at src/shop.erl:30, in 1 wait
"out_function": "shop:wait/1"
"place": "src/shop.erl:30"
f,place
no:such/1,
shop:crunch/1,
shop:start/0,src/shop.erl:12
shop:wait/1,src/shop.erl:30
start,old,none
src/shop.erl:12,,
1
1
1
