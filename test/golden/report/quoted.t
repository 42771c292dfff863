Suggested commands can be copied into a shell, whatever the profile is called.
--- copy shop.txt
--- run
strobe() { $STROBE "$@"; }
mv T.txt "it's  a shop"
$STROBE report "it's  a shop" > said
tail -1 said
eval "$(tail -1 said)"
--- out
   strobe report 'it'\''s  a shop.sbp' processes --process '<0.80.0>'
Processes, by run time
process      run     run%  runnable  wait    gc  dirty  sends  slices  pid
<0.80.0>  501 us  83.50 %   99.0 us  0 ns  0 ns   0 ns      2       2  <0.80.0>
