What a trace cannot show leaves the time unknown and is named; what no schedule can beat is still given. Bad requests are refused.
--- file whole.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1
0us   <0.5.0> s1 in mfa=m:f/0
100us <0.5.0> s1 spawn child=<0.6.0> mfa=m:g/0
110us <0.5.0> s1 exit reason=normal
110us <0.6.0> s1 in mfa=m:g/0
500us <0.6.0> s1 exit reason=normal
--- file writes.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1
0us   <0.5.0> s1 in mfa=m:f/0
0us   <0.5.0> s1 spawn child=<0.6.0> mfa=m:g/0
100us <0.5.0> s1 out mfa=ets:update_counter/3
100us <0.6.0> s1 in mfa=m:g/0
200us <0.6.0> s1 out mfa=ets:update_counter/3
200us <0.5.0> s1 in mfa=ets:update_counter/3
300us <0.5.0> s1 exit reason=normal
300us <0.6.0> s1 in mfa=ets:update_counter/3
500us <0.6.0> s1 exit reason=normal
--- file calls.txt
@meta node=a@h creation=1 recorded=procs,running,messages,calls schedulers=1
0us   <0.5.0> s1 in mfa=m:f/0
0us   <0.5.0> s1 call mfa=m:f/0
0us   <0.5.0> s1 spawn child=<0.6.0> mfa=m:g/0
30us  <0.5.0> s1 call mfa=ets:insert/2
90us  <0.5.0> s1 return_to mfa=m:f/0
100us <0.5.0> s1 out mfa=m:f/0
100us <0.6.0> s1 in mfa=m:g/0
100us <0.6.0> s1 call mfa=m:g/0
110us <0.6.0> s1 call mfa=ets:insert/2
170us <0.6.0> s1 return_to mfa=m:g/0
200us <0.6.0> s1 out mfa=m:g/0
200us <0.5.0> s1 in mfa=m:f/0
300us <0.5.0> s1 exit reason=normal
300us <0.6.0> s1 in mfa=m:g/0
500us <0.6.0> s1 exit reason=normal
--- file poll.awk
BEGIN {
    print "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1"
    print "0us <0.5.0> s1 in mfa=m:f/0"
    for (i = 1; i <= 400; i++) printf "%dus <0.5.0> s1 receive words=1 timeout\n", i
    print "500us <0.5.0> s1 exit reason=normal"
}
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
predict() { $STROBE predict "$@" --cores 2 --format csv 2>/dev/null | sed 1d | cut -d, -f2-5,8,12; }
echo "== whole"; predict whole.txt
echo "== lost"; (cat whole.txt; echo "2us - - drop events=1200 class=1 until=1000") > lost.txt; predict lost.txt
echo "== samples lost"; (cat whole.txt; echo "2us - - drop events=1200 class=13 until=1000") > samples.txt; predict samples.txt
echo "== no messages"; sed 's/,messages//' whole.txt > silent.txt; predict silent.txt
echo "== no running"; grep -v " in " whole.txt | sed 's/running,//' > still.txt; $STROBE predict still.txt; predict still.txt
echo "== no schedulers"; sed 's/ s1 / - /; s/ schedulers=1//' whole.txt > otp.txt; predict otp.txt
echo "== polls"; awk -f poll.awk > poll.txt; predict poll.txt
echo "== writes to ETS"; predict writes.txt
echo "== writes of one process"; sed '/0.5.0.*out/s/ets:update_counter/m:f/' writes.txt > one.txt; predict one.txt
echo "== calls that write"; predict calls.txt
echo "== calls of one process that write"; sed '/0.5.0.*insert/d' calls.txt > one.txt; predict one.txt
echo "== two nodes"; sed 's/a@h/b@h/' whole.txt > b.txt; $STROBE analyze whole.txt b.txt -o two.sbp > log 2>&1; predict two.sbp
for bad in "--cores 0" "--faster m:f/0" "--faster m:f/0=0.5" "--faster nobody=2" "--split m:f/0=1.5" "--split nobody=2" \
    "--free m:f/0" "--free m:f/0->nobody"; do
    $STROBE predict whole.txt $bad 2>&1; echo "exit $?"
done
--- out
== whole
441000,490000,539000,,490000,"the cost of tracing is not in the trace
== lost
196000,,,,,"events are lost
== samples lost
352800,392000,431200,,392000,"the cost of tracing is not in the trace
== no messages
250000,,,,,"which messages were received is not in the trace; record with --trace all | the cost of tracing is not in the trace
== no running
the trace shows no process at work; record with --trace running,messages
== no schedulers
441000,490000,539000,,490000,"the cost of tracing is not in the trace
== polls
0,,,,,"processes poll with `receive after 0`; how long they would do so on other cores is unknown | the cost of tracing is not in the trace
== writes to ETS
300000,,,high,400000,"processes often wrote to ETS tables; those that write to one table wait for each other on other cores
== writes of one process
300000,400000,523600,,400000,"the longest chain has waits of which the trace does not show what ended them; where other cores end them sooner
== calls that write
300000,,,some,400000,"processes often wrote to ETS tables; those that write to one table wait for each other on other cores
== calls of one process that write
300000,400000,523600,,400000,"the longest chain has waits of which the trace does not show what ended them; where other cores end them sooner
== two nodes
250000,,,,,"the trace has several nodes; predict each alone | the cost of tracing is not in the trace
strobe: cores are up to 32 numbers from 1 to 4096, as in 1,2,4; not '0'
exit 2
strobe: faster takes NAME=N with N from 1 to 1000000, not 'm:f/0'
exit 2
strobe: faster takes NAME=N with N from 1 to 1000000, not 'm:f/0=0.5'
exit 2
strobe: there is no process 'nobody': strobe report whole.sbp processes shows their names
exit 1
strobe: split takes a whole number of copies, not 'm:f/0=1.5'
exit 2
strobe: there is no process 'nobody': strobe report whole.sbp processes shows their names
exit 1
strobe: free takes 'A -> B', not 'm:f/0'
exit 2
strobe: there is no process 'm:f/0': strobe report whole.sbp processes shows their names
exit 1
