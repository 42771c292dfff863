Rows whose names are equal show the pids that tell them apart, also where 80 columns leave no room for other columns. The tree keeps the names of deep groups.
--- trace
@meta node=a@h creation=1 schedulers=1 recorded=procs,running,messages
0 <0.4.0> s1 spawned parent=<0.1.0> mfa=my_long_named_server:start_the_server/1
0 <0.5.0> s1 spawned parent=<0.4.0> mfa=my_long_named_prequeue:init_the_prequeue/1
0 <0.6.0> s1 spawned parent=<0.5.0> mfa=my_long_named_prequeue:init_the_prequeue/1
1000 <0.4.0> s1 in mfa=my_long_named_server:start_the_server/1
1100 <0.4.0> s1 send to=<0.5.0> words=3 hash=1
1200 <0.4.0> s1 send to=<0.6.0> words=3 hash=2
1300 <0.4.0> s1 out mfa=my_long_named_server:start_the_server/1
1400 <0.5.0> s1 in mfa=my_long_named_prequeue:init_the_prequeue/1
1500 <0.5.0> s1 receive hash=1
1600 <0.5.0> s1 out mfa=my_long_named_prequeue:init_the_prequeue/1
1700 <0.6.0> s1 in mfa=my_long_named_prequeue:init_the_prequeue/1
1800 <0.6.0> s1 receive hash=2
2600 <0.6.0> s1 out mfa=my_long_named_prequeue:init_the_prequeue/1
9000 <0.5.0> s1 in mfa=my_long_named_prequeue:init_the_prequeue/1
9100 <0.5.0> s1 receive hash=9
9200 <0.5.0> s1 out mfa=my_long_named_prequeue:init_the_prequeue/1
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
export COLUMNS=80
$STROBE report P.sbp messages --process '<0.4.0>'
$STROBE report P.sbp waits --process '<0.5.0>' --process '<0.6.0>'
$STROBE report P.sbp tree
--- out
Messages, by sender and receiver
sender             receiver            count  total words  mean latency  to pid
my_long_named_se…  my_long_named_pre…      1            3        400 ns  <0.5.0>
my_long_named_se…  my_long_named_pre…      1            3        600 ns  <0.6.0>
Where processes wait, by total time
process                function                 total     mean      max  pid
my_long_named_preque…  my_long_named_preque…  6.60 us  6.60 us  6.60 us  <0.6.0>
my_long_named_preque…  my_long_named_preque…  5.40 us  5.40 us  5.40 us  <0.5.0>
Process tree, with siblings of the same entry folded
group                                 processes     run    below  representative
(unknown)                                     1      --  1.60 us  <0.1.0>
  my_long_named_server:start_the_se…          1  300 ns  1.60 us  <0.4.0>
    my_long_named_prequeue:init_the…          1  400 ns  1.30 us  <0.5.0>
      my_long_named_prequeue:init_t…          1  900 ns   900 ns  <0.6.0>
