Beside findings that save less than half of the time the first screen says where most work was, unless they are about that: processes
of one entry count together, whoever started them, with the part of their work that was garbage collection, less its events. A
port that runs within a process is no more work.
--- run
# Queues of two supervisors work all the time, collect garbage and run a port.
trace() { # GC in us of each 1000 us
    awk -v gc="$1" 'BEGIN {
        print "@meta node=a@h creation=1 recorded=procs,running,gc,messages schedulers=1 schedulers_online=1 node_cpu_ns=" 400 * 40000
        print "0us - - cpus cores=4"
        print "0us - - thread name=\"1_scheduler\" tid=41 cpu=0 queue=0"
        print "0us <0.9.0> s1 in mfa=m:main/0"
        for (p = 20; p < 22; p++) printf "0us <0.9.0> s1 spawn child=<0.%d.0> mfa=m:sup/0\n", p
        print "0us <0.9.0> s1 out_exited\n0us <0.9.0> s1 exit reason=normal"
        for (p = 30; p < 34; p++) printf "1us <0.%d.0> s1 spawn child=<0.%d.0> mfa=m:queue/1\n", 20 + p % 2, p
        for (i = 0; i < 200; i++) {
            t = 10 + i * 1000
            printf "%dus <0.%d.0> s1 in mfa=m:queue/1\n", t, 30 + i % 4
            printf "%dus <0.%d.0> s1 gc_minor_start heap=900 block=900 bin=0 old=0 mbuf=0 need=1\n", t + 10, 30 + i % 4
            printf "%dus <0.%d.0> s1 gc_minor_end heap=100 block=900 bin=0 old=0 mbuf=0 need=1\n", t + 10 + gc, 30 + i % 4
            printf "%dus #Port<0.7> s1 in mfa=command\n%dus #Port<0.7> s1 out mfa=command\n", t + 700, t + 900
            printf "%dus <0.%d.0> s1 out mfa=m:queue/1\n", t + 990, 30 + i % 4
        }
        printf "%dus - - thread name=\"1_scheduler\" tid=41 cpu=120000000 queue=80000000\n", t + 991
    }' > T.txt
    rm -f T.sb*
}
trace 400
COLUMNS=100 $STROBE report T.txt 2>&1
trace 200
COLUMNS=100 $STROBE report T.txt 2>&1 | grep -A1 'most work'
--- out
Worth looking at
note: for 40 % of the time that normal schedulers needed a core, something else used it: all times
      of this run include that, and gains of work are in CPU time
1. m:queue/1 <0.30.0> collected garbage for 20.0 ms, 40 % of its work, and copied its live data 449
   times over: a cure saves about 12.1 ms of CPU time
   cure: keep the data in ETS or persistent_term, and start the process with a larger min_heap_size
   strobe report T.sbp findings
- most work was in 4 processes of m:queue/1 (198 ms, 38 % of it garbage collection)
note: recording took about 13 % of the CPU time of the schedulers (16.0 ms of 120 ms): the program
      takes less without it, and what causes many events looks costlier than it is

What ran
node              a@h, 1 scheduler, 4 cores
length            200 ms, 7 processes, 1,212 events
on CPU            schedulers, dirty ones included, got 120 ms of CPU, 61 % of the time of their
                  work; they waited 80.0 ms for a core, taken by other programs or by a CPU limit,
                  and all times below include that
messages          0 sent, 0 received; -- words in all

How parallel
parallelism       0.99 processes at work on average, on 1 scheduler
idle              1.0 % of the time nothing was at work on any scheduler
ready beside idle 0.0 % of the time a process was ready while a scheduler ran none

Where the time went
ran               198 ms summed over processes, of it 80.0 ms collecting garbage
was ready         at most 5.01 processes at a time on average

Cost of recording
cost of tracing   about 16.0 ms of CPU in the node (events of 13201 ns each, as measured beforehand)
                  and -- to write the trace; starting to record and sampling are not included
- most work was in 4 processes of m:queue/1 (198 ms)
note: recording took about 13 % of the CPU time of the schedulers (16.0 ms of 120 ms): the program
