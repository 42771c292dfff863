Samples of the CPU that fall on the path, by process and time, tell which functions took it. What another process does
meanwhile is not among them. Rows with 40 samples have functions of their own.
--- run
# <0.20.0> takes 200 ms, in hot/1 for most of it, then <0.21.0> takes 150 ms. <0.22.0> is beside the path.
path() { # N: a sample in N
    awk -v each=$1 'BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,messages,cpu schedulers=3"
        for (s = 1; s <= 3; s++) printf "0us - - thread name=\"%d_scheduler\" tid=%d cpu=0 queue=0 voluntary=0 involuntary=0\n", s, 40 + s
        split("shop:main/0 shop:hot/1 shop:cold/1 shop:price/1 shop:other/1", f)
        for (i = 1; i <= 5; i++) printf "0us - - cpu_frame name=\"%s\" number=%d caller=0 kind=0\n", f[i], i
        print "0us - - cpu_frame name=\"beam.smp:ets_lookup_2\" number=6 caller=2 kind=1"
        print "0us <0.20.0> s1 in mfa=shop:main/0\n0us <0.20.0> s1 waits mfa=shop:wait/0 kind=1"
        print "0us <0.20.0> s1 spawn child=<0.21.0> mfa=shop:price/1\n0us <0.20.0> s1 spawn child=<0.22.0> mfa=shop:other/1"
        print "0us <0.22.0> s3 in mfa=shop:other/1\n0us <0.21.0> s2 in mfa=shop:price/1\n10us <0.21.0> s2 out mfa=shop:wait/0"
        for (k = 0; k < 200; k += each) printf "%dus - - cpu_sample tid=41 stack=%d\n%dus - - cpu_sample tid=43 stack=5\n", k * 1000 + 500, k % 4 == 0 ? 3 : k % 4 == 1 ? 6 : 2, k * 1000 + 501
        print "200000us <0.22.0> s3 exit reason=normal"
        print "199990us <0.20.0> s1 send to=<0.21.0> words=3 hash=1\n200000us <0.20.0> s1 out mfa=shop:wait/0"
        print "200000us <0.21.0> s2 in mfa=shop:wait/0\n200001us <0.21.0> s2 receive words=3 hash=1"
        for (k = 200; k < 350; k += each) printf "%dus - - cpu_sample tid=42 stack=4\n", k * 1000 + 500
        print "349990us <0.21.0> s2 send to=<0.20.0> words=3 hash=2\n350000us <0.21.0> s2 out_exited\n350000us <0.21.0> s2 exit reason=normal"
        print "350000us <0.20.0> s1 in mfa=shop:wait/0\n350001us <0.20.0> s1 receive words=3 hash=2"
        print "350010us <0.20.0> s1 exit reason=normal"
    }' > T.txt
    rm -f T.sbp*
}
path 1; COLUMNS=160 $STROBE report T.txt critical
$STROBE query T.txt "SELECT count(*) FROM cpu_sample" --format csv | tail -n 1
$STROBE report T.sbp critical --format json --limit 1
path 2; $STROBE report T.txt critical --format csv | cut -d, -f3,4,12-
path 4; $STROBE report T.txt critical --format csv | cut -d, -f3,4,12- | head -n 2
--- out
The chain of work and waits that led to the end of the recording, by its time on it
  share     time  kind     process       processes  function     peer          steps  pid       samples  hot
57.14 %   200 ms  run      <0.20.0>              1  shop:main/0  --                1  <0.20.0>      200  shop:hot/1 75 %, shop:cold/1 25 %
42.85 %   150 ms  run      shop:price/1          1  shop:wait/0  --                1  <0.21.0>      150  shop:price/1 100 %
 0.00 %  10.0 us  queue    <0.20.0>              1  --           --                1  <0.20.0>        0  --
 0.00 %  10.0 us  run      <0.20.0>              1  shop:wait/0  --                1  <0.20.0>        0  --
 0.00 %  10.0 us  queue    shop:price/1          1  --           --                1  <0.21.0>        0  --
 0.00 %     0 ns  message  <0.20.0>              1  --           shop:price/1      1  <0.20.0>        0  --
 0.00 %     0 ns  message  shop:price/1          1  --           <0.20.0>          1  <0.21.0>        0  --
-- shop:hot/1 43 %, shop:price/1 43 %, shop:cold/1 14 % of the CPU time on the path, by samples (350 samples: within 6 points)
550
[
  {
    "share": 57.13836747521499,
    "ns": 199990000,
    "kind": "run",
    "process": "<0.20.0>",
    "processes": 1,
    "function": "shop:main/0",
    "peer": null,
    "steps": 1,
    "pid": "<0.20.0>",
    "id": 1,
    "peer_id": null,
    "note": "shop:hot/1 43 %, shop:price/1 43 %, shop:cold/1 14 % of the CPU time on the path, by samples (350 samples: within 6 points)",
    "node": 1,
    "samples": 200,
    "hot": "shop:hot/1 75 %, shop:cold/1 25 %"
  }
]
kind,process,note,node,samples,hot
run,<0.20.0>,"shop:price/1 43 %, shop:cold/1 29 %, shop:hot/1 29 % of the CPU time on the path, by samples (175 samples: within 8 points)",1,100,"shop:cold/1 50 %, shop:hot/1 50 %"
run,shop:price/1,,1,75,shop:price/1 100 %
queue,<0.20.0>,,1,0,
run,<0.20.0>,,1,0,
queue,shop:price/1,,1,0,
message,<0.20.0>,,1,0,
message,shop:price/1,,1,0,
kind,process,note,node,samples,hot
run,<0.20.0>,"shop:cold/1 57 %, shop:price/1 43 % of the CPU time on the path, by samples (88 samples: within 11 points)",1,50,shop:cold/1 100 %
