The process that runs the command line of erl belongs to the program from the end of the boot on, also while it only waits
for code and shows no function of its own; but not where this is the shorter part and takes no more requests than the command
line needs to load its own code.
--- run
# shop is loaded $1 times for 2 ms each, then works 1 ms
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.0.0> s1 register name=init"
    echo "1 <0.0.0> s1 spawn child=<0.9.0> mfa=erlang:apply/2"
    echo "2 <0.50.0> s1 register name=code_server"
    echo "10000000 <0.60.0> s1 register name=user"
    awk -v n=$1 'BEGIN {
        for (i = 0; i < n; i++) {
            t = 20000000 + i * 2000000
            printf "%d <0.9.0> s1 in mfa=code_server:call/1\n", t
            if (i > 0) printf "%d <0.9.0> s1 receive words=3 hash=%x\n", t + 5, 2 * i
            printf "%d <0.9.0> s1 send to=<0.50.0> words=3 hash=%x\n%d <0.9.0> s1 out mfa=code_server:call/1\n", t + 10, 2 * i + 1, t + 20
            printf "%d <0.50.0> s2 in mfa=code_server:loop/1\n%d <0.50.0> s2 receive words=3 hash=%x\n", t + 1000, t + 1010, 2 * i + 1
            printf "%d <0.50.0> s2 send to=<0.9.0> words=3 hash=%x\n%d <0.50.0> s2 out mfa=code_server:loop/1\n", t + 1900000, 2 * i + 2, t + 1901000
        }
    }'
    echo "140000000 <0.9.0> s1 in mfa=code_server:call/1"
    printf "140000005 <0.9.0> s1 receive words=3 hash=%x\n" $((2 * $1))
    echo "141000000 <0.9.0> s1 out mfa=shop:main/1"
    echo "141010000 <0.9.0> s1 in mfa=shop:main/1"
    echo "141020000 <0.9.0> s1 exit reason=normal"
}
trace 60 > T.txt
trace 40 | sed 's/^141/301/' > L.txt
trace 60 | sed 's/^141/301/' > M.txt
COLUMNS=100 $STROBE report T.txt findings
echo "40 requests and 161 ms of work:"
COLUMNS=100 $STROBE report L.txt findings
echo "the same with 60 requests:"
COLUMNS=100 $STROBE report M.txt findings | sed -n '1,3p;/^2/,/^   cure/p'
$STROBE report T.txt why
--- out
1. code_loading: a cure saves at most 114 ms; confidence high
   1 process waited for the code server, code_server <0.50.0>, in 60 requests: somebody waited for
   94 % of the time
   cure: start the release in embedded mode, or load the modules before
   (code:ensure_modules_loaded/1)
   in Elixir: use a release (embedded mode), or load the modules before (Code.ensure_all_loaded/1)
   see: strobe query T.sbp "SELECT who(process), start, wait_ns FROM gap WHERE waker = 3 ORDER BY
   wait_ns DESC LIMIT 10"
40 requests and 161 ms of work:
1. serial_phase: a cure saves at most 80.5 ms; confidence medium
   shop:main/1 <0.9.0> was the only process at work for 161 ms, 100 % of the program's time
   cure: divide the work among processes; if most of it is garbage collection, start the process
   with a larger min_heap_size
   in Elixir: divide the work with Task.async_stream; if most of it is garbage collection, start the
   process with a larger :min_heap_size
   see: strobe query L.sbp "SELECT out_function, count(*), sum(dur) FROM slice WHERE process = 2
   GROUP BY 1 ORDER BY 3 DESC"
the same with 60 requests:
1. code_loading: a cure saves at most 114 ms; confidence high
   1 process waited for the code server, code_server <0.50.0>, in 60 requests: somebody waited for
   41 % of the time
2. serial_phase: a cure saves about 80.5 ms (71.2 ms to 80.5 ms) in a replay; confidence medium
   shop:main/1 <0.9.0> was the only process at work for 161 ms, 57 % of the program's time
   cure: divide the work among processes; if most of it is garbage collection, start the process
Where the time of the schedulers went
  share     time  what
40.78 %   115 ms  processes and ports at work
40.76 %   115 ms  unknown
16.31 %  46.0 ms  idle beside a process in another queue
 2.15 %  6.06 ms  switching to the next process of its queue
 0.00 %     0 ns  garbage collection
