A name may hold a character that turns the direction of text. Sentences show it as tables do, as '?'.
--- trace
@meta node=n@h schedulers=1
0ms  <0.1.0> s1 spawn child=<0.2.0> mfa='a\x{202e}b':f/0
0ms  <0.1.0> s1 in mfa=m:f/0
1ms  <0.1.0> s1 out mfa=m:f/0
1ms  <0.2.0> s1 in mfa='a\x{202e}b':f/0
50ms <0.2.0> s1 exit reason=normal
50ms <0.2.0> s1 out_exited
--- run
$STROBE report T.txt summary | grep 'f/0'
for s in summary critical findings why; do $STROBE report T.txt $s; done | grep -c $(printf "\342\200\256") | cat
--- out
- most work was in 'a?b':f/0 <0.2.0> (49.0 ms)
0
