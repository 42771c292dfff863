--- copy shop.txt
--- run
$STROBE report T.txt
--- out
Worth looking at
1. <0.80.0> was the only process at work for 350 us, 58 % of the program's time:
   a cure saves at most 350 us
   cure: make the functions with most of its work cheaper (section cpu of the
         report), or divide the work among processes, unless its steps need each
         other's results, which a trace does not show; if most of it is garbage
         collection, cure that first (gc_heavy in FINDINGS.md)
   strobe report T.sbp findings

What ran
node              shop@host, 2 schedulers
length            600 us, 2 processes, 19 events
messages          2 sent, 2 received; 24 words in all

How parallel
parallelism       1.12 processes at work on average, on 2 schedulers
serial            58.3 % of the time one was at work and nobody else was ready,
                  most often <0.80.0>
idle              9.8 % of the time nothing was at work on any scheduler
too few to run    66.7 % of the time there was less to run than schedulers
ready beside idle 20.0 % of the time a process was ready while a scheduler ran
                  none

Where the time went
ran               671 us summed over processes, of it 10.0 us collecting garbage
was ready         0.21 processes at a time on average, 129 us summed over
                  processes
