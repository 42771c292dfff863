With system_profile, a slice without an `out` has no end and no row. Its `in` on another scheduler is a migration all the same, one that stands in table event.
--- file T.txt
@meta node=a@h creation=1
0 <0.2.0> 1 in mfa=m:w/0
5us <0.3.0> 2 in mfa=m:o/0
10us <0.2.0> 1 out mfa=m:w/0
11us <0.2.0> - profile_inactive mfa=m:w/0
20us <0.3.0> 2 out mfa=m:o/0
21us <0.3.0> - profile_inactive mfa=m:o/0
30us <0.2.0> - profile_active mfa=m:w/0
31us <0.2.0> 2 in mfa=m:w/0
35us <0.2.0> 2 out mfa=m:w/0
36us <0.2.0> - profile_inactive mfa=m:w/0
40us <0.2.0> - profile_active mfa=m:w/0
41us <0.2.0> 1 in mfa=m:w/0
50us <0.3.0> - profile_active mfa=m:o/0
51us <0.3.0> 2 in mfa=m:o/0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT p.pid, p.slices, p.migrations FROM process p ORDER BY pid" --format csv
$STROBE query T.sbp "SELECT p.pid, m.at, f.number AS before, t.number AS after FROM migration m JOIN process p ON
    p.id = m.process JOIN scheduler f ON f.id = from_scheduler JOIN scheduler t ON t.id = to_scheduler" --format csv
--- out
pid,slices,migrations
<0.2.0>,2,2
<0.3.0>,1,0
pid,at,before,after
<0.2.0>,31000,1,2
<0.2.0>,41000,2,1
