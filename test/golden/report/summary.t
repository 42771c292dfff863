--- copy shop.txt
--- run
$STROBE report T.txt
--- out
length            600 us
node              shop@host, 2 schedulers
events            19
processes         2
parallelism       1.12 processes at work on average, on 2 schedulers
too few to run    66.7 % of the time there was less to run than schedulers
serial            58.3 % of the time one was at work and nobody else was ready,
                  most often <0.80.0>
idle              9.8 % of the time nothing was at work on any scheduler
ready beside idle 20.0 % of the time a process was ready while a scheduler ran
                  none
program           600 us, from 0 ns on, without start-up and shutdown: 1.12
                  processes at work on average, serial 58.3 %, idle 9.8 %
waiting           59.0 us of the program without anything at work; till <0.90.0>
                  waited 390 us in Till.loop/1, in 3 waits
ran               671 us summed over processes, of it 10.0 us collecting garbage
was ready         129 us summed over processes, 0.21 at a time on average
messages          2 sent, 2 received; 24 words in all

Worth looking at
1. <0.80.0> was at work alone for 350 us, with nobody else ready: dividing its
   work gains up to 175 us
   strobe report T.sbp processes --process '<0.80.0>'
