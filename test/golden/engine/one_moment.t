What goes off a scheduler and comes back at one moment ends the stay where it was, whatever came when.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=2 dirty_io=1
0 <0.5.0> i1 in mfa=m:read/1
8us <0.5.0> s1 in mfa=m:finish/1
8us <0.5.0> s1 out mfa=m:read/1
8us <0.5.0> i1 out mfa=m:finish/1
9us <0.5.0> i1 in mfa=m:read/1
12us <0.5.0> i1 out mfa=m:finish/1
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT slice.start, dur, slice.kind, in_function, out_function FROM slice" --format csv
$STROBE merge T.sbp -o M.sbp > log 2>&1 && cmp T.sbp M.sbp && echo same
--- out
start,dur,kind,in_function,out_function
0,8000,dirty_io,m:read/1,m:finish/1
8000,0,normal,m:finish/1,m:read/1
9000,3000,dirty_io,m:read/1,m:finish/1
same
