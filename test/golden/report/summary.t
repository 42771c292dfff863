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
ran               671 us summed over processes, of it 10.0 us collecting
                  garbage; 0 ns on dirty schedulers
was ready         129 us summed over processes, 0.21 at a time on average
messages          2 sent, 2 received; 24 words in all

Worth looking at
1. <0.80.0> did 75 % of all work: 501 us
   strobe report T.sbp waits --process '<0.80.0>'
2. <0.80.0> was alone at work for 58 % of the time, while the other schedulers
   had nothing to do
   strobe report T.sbp processes --process '<0.80.0>'
3. 100 % of the time messages lay unread they lay before till <0.90.0>, 11.0 us
   each on average
   strobe report T.sbp messages --process '<0.90.0>'
4. <0.80.0> sends 100 % of all words, to one process: 24 words in 2 messages
   strobe report T.sbp messages --sort total_words
5. 16 % of the time that processes could have run they waited for a scheduler;
   most of all <0.80.0>, for 99.0 us
   strobe report T.sbp processes --sort runnable_low
