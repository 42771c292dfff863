Of several nodes each table in text names the node of its rows: two processes of one name and pid are two rows. JSON has the ids of nodes.
--- run
node() { # NAME, WHAT the process of that node does
    echo "@meta node=$1 creation=1 otp=27 schedulers=1 recorded=procs,running,messages wall"
    echo "0 <0.5.0> - exists entry=m:work/0 name=worker"
    echo "1us <0.5.0> s1 waits mfa=m:work/0 kind=1"
    echo "10us <0.5.0> s1 in mfa=m:work/0"
    [ -z "$2" ] || echo "12us <0.5.0> s1 send to=<0.5.0>@$2/1 words=3 hash=11"
    [ -n "$2" ] || echo "15us <0.5.0> s1 receive words=3 hash=11"
    echo "20us <0.5.0> s1 out mfa=m:work/0"
    echo "40us <0.5.0> s1 in mfa=m:work/0"
    echo "50us <0.5.0> s1 out mfa=m:work/0"
}
node a@h b@h > A.txt
node b@h > B.txt
$STROBE analyze A.txt B.txt -o AB.sbp > log 2>&1
for of in processes waits messages schedulers tree; do COLUMNS=100 $STROBE report AB.sbp $of | sed -n '1!p'; done
COLUMNS=44 $STROBE report AB.sbp why
$STROBE report AB.sbp waits --format csv | cut -d, -f 1,2,3,10
$STROBE report A.txt processes | grep -c a@h || true
--- out
process      run     run%  runnable     wait  dirty  runnable low  runnable high  node  pid
worker   20.0 us  40.00 %   2.00 us  18.0 us   0 ns          0 ns        20.0 us  a@h   <0.5.0>
worker   20.0 us  40.00 %   2.00 us  18.0 us   0 ns          0 ns        20.0 us  b@h   <0.5.0>
-- unknown, and not shown: gc
process  processes  function  count    total     mean      max  node
worker           1  m:work/0      1  18.0 us  18.0 us  18.0 us  a@h
worker           1  m:work/0      1  18.0 us  18.0 us  18.0 us  b@h
sender  senders  receiver  receivers  count  total words  mean words  max words  from node  to node
worker        1  worker            1      1            3           3          3  a@h        b@h
-- unknown, and not shown: mean latency
scheduler    used%    slice  slices     mean  over time                           node
1          40.00 %  20.0 us       2  10.0 us        ▁██████▄             ▆██████  a@h
1          40.00 %  20.0 us       2  10.0 us        ▁██████▄             ▆██████  b@h
-- unknown, and not shown: on cpu
group     processes      run    below  runnable     wait  sends  receives  representative  node
m:work/0          1  20.0 us  20.0 us   2.00 us  18.0 us      1         0  <0.5.0>         a@h
m:work/0          1  20.0 us  20.0 us   2.00 us  18.0 us      0         1  <0.5.0>         b@h
Where the time of the schedulers went
  share     time  what                  node
20.00 %  20.0 us  processes and ports…  a@h
20.00 %  20.0 us  processes and ports…  b@h
18.00 %  18.0 us  idle: all wait for …  a@h
18.00 %  18.0 us  idle: all wait for …  b@h
12.00 %  12.0 us  unknown               a@h
12.00 %  12.0 us  unknown               b@h
 0.00 %     0 ns  idle beside a proce…  a@h
 0.00 %     0 ns  garbage collection …  a@h
 0.00 %     0 ns  switching to the ne…  a@h
 0.00 %     0 ns  idle beside a proce…  b@h
 0.00 %     0 ns  garbage collection …  b@h
 0.00 %     0 ns  switching to the ne…  b@h
process,function,count,node
worker,m:work/0,1,1
worker,m:work/0,1,2
0
