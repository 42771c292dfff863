A section that counts the whole run, or all processes, refuses a narrower request instead of ignoring it.
--- copy shop.txt
--- run
for s in tree nodes stacks servers latency functions; do $STROBE report T.txt $s --since 1ms; done
for s in summary tree nodes schedulers activity loss; do $STROBE report T.txt $s --process '<0.80.0>'; done
--- out
--- err
strobe: tree counts the whole run, so --since and --until cannot narrow it: strobe report T.sbp processes --since 1ms shows the time of each process in each state in that range
strobe: nodes counts the whole run, so --since and --until cannot narrow it: strobe report T.sbp messages --since 1ms shows senders and receivers in that range
strobe: stacks counts the whole run, so --since and --until cannot narrow it: samples are counted without their time
strobe: servers counts the whole run, so --since and --until cannot narrow it: strobe report T.sbp messages --since 1ms shows the messages in that range
strobe: latency counts the whole run, so --since and --until cannot narrow it: strobe report T.sbp messages --since 1ms shows the messages in that range
strobe: functions counts the whole run, so --since and --until cannot narrow it: strobe report T.sbp active --since 1ms shows the functions active in that range
strobe: summary counts all processes, so --process cannot narrow it: strobe report T.sbp processes --process NAME shows one
strobe: tree counts all processes, so --process cannot narrow it: strobe report T.sbp processes --process NAME shows one
strobe: nodes counts all processes, so --process cannot narrow it: strobe report T.sbp processes --process NAME shows one
strobe: schedulers counts all processes, so --process cannot narrow it: strobe report T.sbp processes --process NAME shows one
strobe: activity counts all processes, so --process cannot narrow it: strobe report T.sbp processes --process NAME shows one
strobe: loss counts all processes, so --process cannot narrow it: strobe report T.sbp processes --process NAME shows one
--- exit 2
