--- copy shop.txt
--- run
$STROBE report T.txt tree
$STROBE report T.txt schedulers
$STROBE report T.txt waits
$STROBE report T.txt messages
$STROBE report T.txt gc --elixir
$STROBE report T.txt ports
$STROBE report T.txt top --limit 1
--- out
Process tree, with siblings of the same entry folded
group                processes     run   below  runnable    wait  representative
(unknown)                    1  501 us  671 us   99.0 us    0 ns  <0.80.0>
  proc_lib:init_p/5          1  170 us  170 us   30.0 us  390 us  <0.90.0>
Schedulers
scheduler    used%   slice  slices  over time
1          90.17 %  541 us       3  ████████████████████████▃█▇▁ ▁▇█████
2          21.67 %  130 us       2   ▆█▄  ▃████▇▁                       
-- unknown, and not shown: on cpu
Where processes wait, by total time
process  processes  function     count   total    mean     max
till             1  Till.loop/1      3  390 us  130 us  200 us
Messages, by sender and receiver
sender    senders  receiver  receivers  count  total words  mean latency
<0.80.0>        1  till              1      2           24       11.0 us
Garbage collection, by time
process       gc     gc%  gc count      max  major  reclaimed words  pid
till     10.0 us  5.88 %         1  10.0 us      0              133  <0.90.0>
Ports
-- none in this profile; if it was not recorded, use --trace ports
Top processes by eight measures
by                  rank  process   value        life%  pid
run time               1  <0.80.0>     501 us  83.50 %  <0.80.0>
waiting                1  till         390 us  66.10 %  <0.90.0>
waiting to run         1  <0.80.0>    99.0 us  16.50 %  <0.80.0>
garbage collection     1  till        10.0 us   1.69 %  <0.90.0>
messages received      1  till              2       --  <0.90.0>
messages sent          1  <0.80.0>          2       --  <0.80.0>
mean size received     1  till             12       --  <0.90.0>
mean size sent         1  <0.80.0>         12       --  <0.80.0>
