Where system_profile records when ports are active, they are at work then; without it this is unknown.
--- file T.txt
@meta node=a@h creation=1 schedulers=1
1000 <0.5.0> s1 in mfa=m:f/0
1010 #Port<0.7> - profile_active
1040 #Port<0.7> - profile_inactive
1060 #Port<0.7> - profile_active
1070 #Port<0.8> - profile_active
1080 #Port<0.7> - profile_inactive
2000 <0.5.0> s1 out mfa=m:f/0
--- file U.txt
@meta node=a@h creation=1 schedulers=1
1000 <0.5.0> s1 in mfa=m:f/0
1010 #Port<0.7> - open owner=<0.5.0> driver=efile
2000 <0.5.0> s1 out mfa=m:f/0
--- run
for t in T U; do
    $STROBE analyze $t.txt -o $t.sbp > log
    $STROBE merge $t.sbp -o M.sbp > log && cmp $t.sbp M.sbp && echo the same
    $STROBE query $t.sbp "select name, run_ns, runs from port order by id" --format csv
    $STROBE query $t.sbp "select round(sum(ports_active * dur)) as ports_ns from activity" --format csv
done
--- out
the same
name,run_ns,runs
#Port<0.7>,50,2
#Port<0.8>,0,0
ports_ns
50
the same
name,run_ns,runs
#Port<0.7>,,
ports_ns

