From some moment on the governor only counted calls of m:hot/0. Its calls are the recorded ones and the last count;
times are those of the recorded calls. The counts of m:warm/0 end without the last one: there were more, maybe. Of
m:cold/0 no count was written. Every section says so, and data says so on stderr.
--- trace
@meta node=a@host schedulers=1
0us    <0.80.0>  s1  in         mfa=m:main/0
0us    <0.80.0>  s1  call       mfa=m:main/0
10us   <0.80.0>  s1  call       mfa=m:hot/0
20us   <0.80.0>  s1  return_to  mfa=m:main/0
30us   <0.80.0>  s1  call       mfa=m:hot/0
40us   <0.80.0>  s1  return_to  mfa=m:main/0
50us   <0.80.0>  s1  call       mfa=m:warm/0
60us   <0.80.0>  s1  return_to  mfa=m:main/0
65us   <0.80.0>  s1  call       mfa=m:cold/0
66us   <0.80.0>  s1  return_to  mfa=m:main/0
70us   -  -  counter  mfa=m:hot/0 last=0
70us   -  -  counter  mfa=m:warm/0 last=0
71us   -  -  counter  mfa=m:cold/0 last=0
80us   -  -  counter  mfa=m:hot/0 calls=1000 last=0
80us   -  -  counter  mfa=m:warm/0 calls=500 last=0
90us   -  -  counter  mfa=m:hot/0 calls=2000 last=1
100us  <0.80.0>  s1  exit       reason=normal
--- run
$STROBE report T.txt functions
$STROBE report T.txt function m:hot/0
$STROBE report T.txt callers m:warm/0
$STROBE report T.txt --format csv | grep counted
$STROBE analyze T.txt -o T.sbp >/dev/null 2>&1
$STROBE merge T.sbp -o M.sbp >/dev/null 2>&1
for s in messages active tree; do $STROBE report T.txt $s | sed -n 1p; done | uniq -c
$STROBE export M.sbp --to collapsed -o out 2>&1 | cut -d: -f1-2
$STROBE query M.sbp "SELECT mfa, calls, counted, counted_from, at_least FROM function ORDER BY mfa" --format csv
--- out
COUNTED: from 0.000070 s on, calls of 3 functions were only counted: at least 2,500. Numbers of calls include them; times, callers and call trees do not
Functions, by own time
calls  counted  at least     own%      own  own per call      acc  function
    1       --  yes        1.00 %  1.00 us       1.00 us  1.00 us  m:cold/0
  501      500  yes       10.00 %  10.0 us       10.0 us  10.0 us  m:warm/0
2,002    2,000  --        20.00 %  20.0 us       10.0 us  20.0 us  m:hot/0
    1       --  --        69.00 %  69.0 us       69.0 us   100 us  m:main/0
COUNTED: from 0.000070 s on, calls of 3 functions were only counted: at least 2,500. Numbers of calls include them; times, callers and call trees do not
One function
role     calls      own      acc  tail  recursive  processes  name      pid
itself       2  20.0 us  20.0 us     0          0          1  m:hot/0   --
counted  2,000       --       --    --         --         --  m:hot/0   --
caller       2  20.0 us  20.0 us    --         --          1  m:main/0  --
process      2  20.0 us  20.0 us     0          0         --  <0.80.0>  <0.80.0>
COUNTED: from 0.000070 s on, calls of 3 functions were only counted: at least 2,500. Numbers of calls include them; times, callers and call trees do not
Callers and callees
direction  calls      own      acc  recursive  processes  function
counted      500       --       --  --                --  --
caller         1  10.0 us  10.0 us  no                 1  m:main/0
counted,2500,count,"calls of 3 functions were only counted from 0.000070 s on: at least 2,500, of which no time is known",strobe report T.sbp functions,What is missing
      3 COUNTED: from 0.000070 s on, calls of 3 functions were only counted: at least 2,500. Numbers of calls include them; times, callers and call trees do not
strobe: COUNTED
mfa,calls,counted,counted_from,at_least
m:cold/0,1,,71000,1
m:hot/0,2002,2000,70000,0
m:main/0,1,0,,0
m:warm/0,501,500,70000,1
