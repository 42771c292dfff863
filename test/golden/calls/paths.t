Paths of calls, the active functions of a range of time, and all about one function. The trace records no callers:
that m:finish/1 and the iterations of m:loop/1 are tail calls is inferred from returns that never came.
--- trace
@meta node=a@host schedulers=1
0us    <0.80.0>  s1  in         mfa=m:main/0
10us   <0.80.0>  s1  call       mfa=m:main/0
20us   <0.80.0>  s1  call       mfa='Elixir.Shop':total/1
30us   <0.80.0>  s1  call       mfa=m:finish/1
40us   <0.80.0>  s1  return_to  mfa=m:main/0
50us   <0.80.0>  s1  call       mfa=m:loop/1
60us   <0.80.0>  s1  call       mfa=m:loop/1
70us   <0.80.0>  s1  call       mfa=m:loop/1
80us   <0.80.0>  s1  return_to  mfa=m:main/0
100us  <0.80.0>  s1  exit       reason=normal
100us  <0.81.0>  s1  in         mfa=m:other/0
100us  <0.81.0>  s1  call       mfa=m:other/0
110us  <0.81.0>  s1  call       mfa='Elixir.Shop':total/1
190us  <0.81.0>  s1  return_to  mfa=m:other/0
200us  <0.81.0>  s1  exit       reason=normal
--- run
$STROBE report T.txt paths
$STROBE report T.txt paths --since 90us --limit 2 --elixir
$STROBE report T.txt active --since 75us --until 120us --process '<0.80.0>'
$STROBE report T.txt active --since 150us
$STROBE report T.txt function 'Shop.total/1'
$STROBE report T.txt functions --process '<0.81.0>'
$STROBE report T.txt calls --since 1us; echo $?
$STROBE report T.txt function nobody:is/1; echo $?
--- out
Call paths, by time
path            calls      own      acc     acc%  tail  recursive
m:other/0           1  20.0 us   100 us  52.63 %     0          0
  Shop.total/1      1  80.0 us  80.0 us  42.11 %     0          0
m:main/0            1  40.0 us  90.0 us  47.37 %     0          0
  m:loop/1          3  30.0 us  30.0 us  15.79 %     2          2
  Shop.total/1      1  10.0 us  20.0 us  10.53 %     0          0
    m:finish/1      1  10.0 us  10.0 us   5.26 %     1          0
Call paths used in the range, with figures of the whole run
path        calls      own      acc     acc%  tail  recursive       first
:m.other/0      1  20.0 us   100 us  52.63 %     0          0  0.000100 s
:m.main/0       1  40.0 us  90.0 us  47.37 %     0          0  0.000010 s
(1 more)
--limit 0 shows all rows; --format json or csv has every column
Active functions, by time on the stack
process   function  count   inside  inside low  inside high   active       first
<0.80.0>  m:main/0      1  25.0 us     25.0 us      25.0 us  90.0 us  0.000010 s
<0.80.0>  m:loop/1      1  5.00 us     5.00 us      5.00 us  30.0 us  0.000050 s
Active functions, by time on the stack
process   processes  function      count   inside  inside low  inside high
<0.81.0>          1  m:other/0         1  50.0 us     50.0 us      50.0 us
<0.81.0>          1  Shop.total/1      1  40.0 us     40.0 us      40.0 us
One function
role     calls      own      acc  tail  name          pid
itself       2  90.0 us   100 us     0  Shop.total/1  --
caller       1  80.0 us  80.0 us    --  m:other/0     --
caller       1  10.0 us  20.0 us    --  m:main/0      --
callee       1  10.0 us  10.0 us    --  m:finish/1    --
process      1  80.0 us  80.0 us     0  <0.81.0>      <0.81.0>
process      1  10.0 us  20.0 us     0  <0.80.0>      <0.80.0>
Functions, by own time
calls     own%      own  own per call      acc    gc  function
    1  20.00 %  20.0 us       20.0 us   100 us  0 ns  m:other/0
    1  80.00 %  80.0 us       80.0 us  80.0 us  0 ns  Shop.total/1
2
2
--- err
strobe: calls counts the whole run, so --since and --until cannot narrow it: strobe report T.sbp paths --since 1us shows the calls in that range
strobe: unknown function 'nobody:is/1': strobe report T.sbp functions --limit 0 lists them
