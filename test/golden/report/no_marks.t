Each recording has the marks of the program, so a profile without marks needs no other recording but a call.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
5us <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE report T.txt marks
--- out
Marks set by the program
-- none: strobe:mark("text") sets one
