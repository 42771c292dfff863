The trace of a flight recorder says first why it was written: each mark that no process set is a condition that held, with the
name of its process and a range of time of its own, or the stack of a process that it is about. In a range only what is in it counts; a mark of the program is none.
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,messages,vm
0 <0.7.0> - exists name=sink
0 <0.6.0> - exists name=shop
0 <0.5.0> - exists name=stock
1000us <0.6.0> s1 in mfa=shop:go/0
1100us - - sample item=mailbox key="<0.7.0>" value=0
1200us <0.6.0> s1 send to=<0.7.0> words=1 hash=1
1300us <0.6.0> s1 send to=<0.7.0> words=1 hash=2
1400us <0.5.0> s2 in mfa=stock:go/0
1450us <0.5.0> s2 send to=<0.7.0> words=1 hash=3
1500us <0.6.0> s1 mark text="ours <0.7.0>"
1600us - - mark text="the mailbox of <0.7.0> has 3 messages"
1700us <0.6.0> s1 send to=<0.5.0> words=2 hash=4
1800us <0.6.0> s1 out mfa=gen:do_call/4
2900us - - mark text="a call of <0.6.0> to stock takes longer than 1 ms"
2910us - - mark text="<0.6.0> waits in gen:do_call/4 (gen.erl:256) < shop:order/1 (shop.erl:12)"
3000us - - mark text="<0.5.0> has not yielded for 1.60 ms"
3100us <0.5.0> s2 out mfa=stock:go/0
3200us - - mark text="log error: <nobody> at 7"
--- run
export COLUMNS=100
$STROBE report T.txt summary | sed -n '1,/^$/p' | sed "s|^  .*strobe report|  strobe report|"
$STROBE report T.txt summary --since 2000us --until 3000us | sed -n '1,/^$/p' | sed "s|^  .*strobe report|  strobe report|"
$STROBE info T.txt | head -1
$STROBE info T.sbp | head -2
--- out
Why it was written
trigger           the mailbox of sink <0.7.0> has 3 messages; shop <0.6.0> sent it most, 2 messages,
                  at 0.001600 s
  strobe report T.sbp --since 1100us --until 1601us
trigger           a call of shop <0.6.0> to stock takes longer than 1 ms, at 0.002900 s
  strobe report T.sbp --since 1700us --until 2901us
stack             shop <0.6.0> waits in gen:do_call/4 (gen.erl:256) < shop:order/1 (shop.erl:12), at
                  0.002910 s
trigger           stock <0.5.0> has not yielded for 1.60 ms, at 0.003000 s
  strobe report T.sbp --since 1400us --until 3001us
trigger           log error: <nobody> at 7, at 0.003200 s

Why it was written
trigger           a call of shop <0.6.0> to stock takes longer than 1 ms, at 0.002900 s
  strobe report T.sbp --since 1700us --until 2901us
stack             shop <0.6.0> waits in gen:do_call/4 (gen.erl:256) < shop:order/1 (shop.erl:12), at
                  0.002910 s
trigger           stock <0.5.0> has not yielded for 1.60 ms, at 0.003000 s
  strobe report T.sbp --since 1400us --until 3001us

trigger              the mailbox of <0.7.0> has 3 messages
trigger              the mailbox of <0.7.0> has 3 messages
trigger              a call of <0.6.0> to stock takes longer than 1 ms
