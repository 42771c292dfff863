The summary of a range has the figures that are exact in it: of 220 us, <0.80.0> ran all and till 90, after 10 us of readiness.
--- copy shop.txt
--- run
$STROBE report T.txt --since 80us --until 300us
ask() { $STROBE report T.sbp "$@" --format csv | grep -E "^(ran|was ready|messages|length)," | cut -d, -f1,2 | paste -sd' '; }
ask; ask --since 0; ask --until 80us; ask --since 80us --until 300us; ask --since 300us --until 1s
$STROBE report T.sbp --since 80us --until 300us --fail-on 'serial > 50%' | tail -n 1
$STROBE report T.sbp --since 600us
--- out
What ran
node              shop@host, 2 schedulers
length            220 us, from 80.0 us to 300 us of the run, 2 processes
messages          1 sent, 1 received; 12 words in all

How parallel
parallelism       1.41 processes at work on average, on 2 schedulers
serial            54.5 % of the time one was at work and nobody else was ready,
                  most often <0.80.0>
idle              0.0 % of the time nothing was at work on any scheduler
too few to run    54.5 % of the time there was less to run than schedulers
ready beside idle 4.5 % of the time a process was ready while a scheduler ran
                  none

Where the time went
ran               310 us summed over processes, of it 10.0 us collecting garbage
was ready         0.05 processes at a time on average, 10.0 us summed over
                  processes
length,600000 messages,2 ran,671000 was ready,129000
length,600000 messages,2 ran,671000 was ready,129000
length,80000 messages,0 ran,120000 was ready,10000
length,220000 messages,1 ran,310000 was ready,10000
length,300000 messages,1 ran,241000 was ready,109000
                  processes
--- err
strobe: limit crossed: serial > 50%: 54.5 % of the time one was at work and nobody else was ready, most often <0.80.0>
strobe: nothing of the run is between --since and --until: the run lasts 600 us
--- exit 2
