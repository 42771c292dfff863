The column sorted by is shown, even where it is not known, and the title names it.
--- copy shop.txt
--- run
$STROBE report T.txt processes
$STROBE report T.txt processes --sort max_queue
$STROBE report T.txt processes --sort run_ns | head -1
$STROBE report T.txt processes --sort peak_mailbox | head -3
COLUMNS=40 $STROBE report T.txt processes --sort slices
$STROBE report T.txt waits --sort count --limit 1
$STROBE report T.txt calls --sort own | head -1
--- out
Processes, by run time
process      run     run%  runnable    wait       gc  dirty  sends  pid
<0.80.0>  501 us  83.50 %   99.0 us    0 ns     0 ns   0 ns      2  <0.80.0>
till      170 us  28.33 %   30.0 us  390 us  10.0 us   0 ns      0  <0.90.0>
Processes, by max queue
process      run     run%  runnable    wait       gc  dirty  max queue  pid
till      170 us  28.33 %   30.0 us  390 us  10.0 us   0 ns          1  <0.90.0>
<0.80.0>  501 us  83.50 %   99.0 us    0 ns     0 ns   0 ns          0  <0.80.0>
Processes, by run time
Processes, by peak mailbox
process      run     run%  runnable    wait       gc  peak mailbox  pid
<0.80.0>  501 us  83.50 %   99.0 us    0 ns     0 ns            --  <0.80.0>
Processes, by slices
process      run  slices  pid
till      170 us       3  <0.90.0>
<0.80.0>  501 us       2  <0.80.0>
Where processes wait, by count
process  processes  function     count   total    mean     max
till             1  Till.loop/1      3  390 us  130 us  200 us
Calls, by caller and callee
