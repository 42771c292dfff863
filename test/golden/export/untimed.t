A format that needs times explains why it exports nothing from a trace without timestamps.
--- trace
@meta node=a@h creation=1 untimed
- <0.5.0> 1 in mfa=m:f/0
- <0.5.0> 1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE export T.sbp --to collapsed
wc -c < T.collapsed
$STROBE export T.sbp --to csv --table node -o -
$STROBE export T.sbp --to dot -o - | grep -c label
--- out
T.collapsed
0
id,name,otp,schedulers,os_pid,clock_offset_ns,clock_error_ns,creation,wall_ns,trace_start,trace_end,clock_conflict_ns,schedulers_online,cores,cpu_quota_ppm,boot,boot_ns,ambiguous
1,a@h,,,,,,1,,,,,,,,,,
1
--- err
strobe: the trace has no time stamps: times and durations are unknown and not exported
