The longest wait of the program is named, but not one that went on after the program's part of the run: it would be longer than that part.
--- run
echo "@meta node=a@h creation=1 schedulers=2 wall recorded=procs,running,messages" > A.txt
sed 's/a@h/b@h/' A.txt > B.txt
cat >> A.txt <<'T'
0 <0.9.0> s1 spawned parent=<0.1.0> mfa=shop:main/0
0 <0.9.0> s1 waits mfa=shop:main/0 kind=1
0 <0.9.0> s1 waits mfa=shop:ask/1 kind=1
1000 <0.9.0> s1 in mfa=shop:main/0
1000000 <0.9.0> s1 out mfa=shop:ask/1
40000000 <0.9.0> s1 in mfa=shop:ask/1
41000000 <0.9.0> s1 exit reason=normal
T
cat >> B.txt <<'T'
0 <0.5.0> s1 exists name=idle entry=user:server/0 status=0
0 <0.5.0> s1 waits mfa=timer:sleep/1 kind=2
2000 <0.5.0> s1 in mfa=timer:sleep/1
3000 <0.5.0> s1 out mfa=timer:sleep/1
300000000 <0.5.0> s1 in mfa=timer:sleep/1
300001000 <0.5.0> s1 out mfa=timer:sleep/1
T
$STROBE analyze A.txt B.txt -o AB.sbp > log 2>&1
COLUMNS=120 $STROBE report AB.sbp | grep -A1 -e '^program' -e '^waiting'
--- out
program           41.0 ms, from 0 ns on, without start-up and shutdown: 0.05 processes at work on average, serial 4.9 %
                  (between 0 and 5 %), idle 95.1 %
--
waiting           for 39.0 ms of the program nothing was at work or ready; shop:main/0 <0.9.0> on a@h waited 39.0 ms in
                  shop:ask/1, in 1 wait
