A profile says what it was made of, with the keys that a trace has.
--- trace
@meta node=a@host schedulers=2 recorded=procs lost.messages=3
0    <0.85.0> s1 spawn child=<0.90.0> mfa=m:f/0
4ms  <0.90.0> s2 exit reason=normal
--- run
$STROBE analyze T.txt -o P.sbp >/dev/null 2>&1
$STROBE info P.sbp --format json | grep -E '^  "(source|events|span_ns)"|"(messages|process)"|a@host'
$STROBE info P.sbp | head -n 2
head -c 100 P.sbp > Q.sbp; $STROBE info Q.sbp 2>/dev/null
--- out
  "source": "sbp",
    "a@host"
  "events": 2,
  "span_ns": 4000000,
    "messages": 3
    "process": 2,
source               profile
node                 a@host
--- exit 1
