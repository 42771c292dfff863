report P why tells work on dirty CPU schedulers from that on dirty I/O schedulers.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0     <0.80.0>  s1   in    mfa=shop:main/0
100us <0.80.0>  s1   out   mfa=shop:main/0
110us <0.80.0>  d1   in    mfa=shop:hash/1
310us <0.80.0>  d1   out   mfa=shop:hash/1
320us <0.80.0>  s1   in    mfa=shop:main/0
330us <0.80.0>  s1   out   mfa=shop:main/0
340us <0.80.0>  di1  in    mfa=file:read/2
400us <0.80.0>  di1  out   mfa=file:read/2
--- run
$STROBE analyze T.txt > /dev/null
$STROBE report T.sbp why | grep "on dirty"
--- out
     --   200 us  on dirty CPU schedulers, beside the rest
     --  60.0 us  on dirty I/O schedulers, beside the rest
