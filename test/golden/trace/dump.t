What is dumped reads back as the same trace; a part of it is chosen by time from the earliest stamp on.
--- trace
@meta node=a@host schedulers=2
5ms  <0.85.0> s1 spawn child=<0.90.0> mfa=m:f/0
6ms  <0.85.0> s1 send to=<0.90.0> words=5 ext=12 hash=9af3
7ms  <0.90.0> s2 mark text="half way there"
9ms  #Port<0.5> - in mfa=command
-    <0.90.0> d1 call mfa='Elixir.Enum':'map!'/2 cp
--- run
$STROBE dump T.txt -o once.txt && $STROBE dump once.txt | cmp - once.txt && cat once.txt
$STROBE dump T.txt --since 1ms --until 2000us
$STROBE dump T.txt --until 0 --format json
--- out
@meta node=a@host creation=0 schedulers=2
5000000 <0.85.0> s1 spawn child=<0.90.0> mfa=m:f/0
6000000 <0.85.0> s1 send to=<0.90.0> words=5 ext=12 hash=9af3
7000000 <0.90.0> s2 mark text="half way there"
9000000 #Port<0.5> - in mfa=command
- <0.90.0> d1 call mfa='Elixir.Enum':'map!'/2 cp
@meta node=a@host creation=0 schedulers=2
6000000 <0.85.0> s1 send to=<0.90.0> words=5 ext=12 hash=9af3
7000000 <0.90.0> s2 mark text="half way there"
[{"at_ns":5000000,"who":"<0.85.0>","scheduler":1,"kind":"spawn","child":"<0.90.0>","mfa":"m:f/0"}]
