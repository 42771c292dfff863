The trace of a@h ends while a process waits, and b@h sends to it after that: the wait lasts until the end that is known.
--- file A.txt
@meta node=a@h creation=1 boot=7f2c recorded=procs,running,messages
0 <0.5.0> s1 spawned parent=<0.1.0> mfa=shop:serve/0
0 <0.5.0> s1 waits mfa=shop:serve/0 kind=1
100us <0.5.0> s1 in mfa=shop:serve/0
200us <0.5.0> s1 out mfa=shop:serve/0
500us <0.6.0> s1 in mfa=shop:work/0
--- file B.txt
@meta node=b@h creation=1 boot=7f2c recorded=procs,running,messages
100us <0.7.0> s1 in mfa=shop:ask/0
900us <0.7.0> s1 send to=<0.5.0>@a@h/1 words=3 ext=9 hash=11
950us <0.7.0> s1 out mfa=shop:ask/0
--- run
$STROBE analyze A.txt B.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT start, wait_ns, runnable_ns, unknown_ns, high_ns, cause FROM gap WHERE process = 2 ORDER BY start" --format csv
--- out
start,wait_ns,runnable_ns,unknown_ns,high_ns,cause
0,0,100000,0,100000,spawn
200000,300000,0,0,0,unknown
500000,0,0,450000,0,unknown
