Table event keeps the number of active schedulers, the only slot of these kinds, and a merge hands it on. Events without a
number have 0; -1 is a number that was not recorded.
--- file T.txt
@meta node=a@h creation=1 otp=27 schedulers=2
1us <0.5.0> s1 in mfa=m:f/0
3us -       s2 profile_scheduler_active active=2
4us <0.5.0> s1 link to=<0.7.0>
5us <0.5.0> s1 out mfa=m:f/0
7us -       s2 profile_scheduler_inactive active=1
9us <0.5.0> s1 in mfa=m:f/0
--- file U.txt
@meta node=b@h creation=1 otp=27 schedulers=2
1us <0.5.0> s1 in mfa=m:f/0
2us -       s1 profile_scheduler_inactive active=0
5us -       s1 profile_scheduler_active
8us -       s1 profile_scheduler_active active=1
9us <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1 && $STROBE analyze U.txt -o U.sbp > log 2>&1 && $STROBE analyze T.txt U.txt -o once.sbp > log 2>&1
$STROBE query T.sbp "SELECT at, kind, scheduler, n FROM event" --format csv
$STROBE merge T.sbp -o T2.sbp && cmp T.sbp T2.sbp && $STROBE merge U.sbp T.sbp -o M.sbp && cmp once.sbp M.sbp && echo the same
$STROBE query M.sbp "SELECT node, kind, n FROM event WHERE kind LIKE 'profile%' ORDER BY node, at" --format csv
--- out
at,kind,scheduler,n
2000,profile_scheduler_active,2,2
3000,link,1,0
6000,profile_scheduler_inactive,2,1
8000,in,1,0
the same
node,kind,n
1,profile_scheduler_active,2
1,profile_scheduler_inactive,1
2,profile_scheduler_inactive,0
2,profile_scheduler_active,-1
2,profile_scheduler_active,1
