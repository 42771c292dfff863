Two workers compute for 100 us, then for 300 us on a dirty scheduler. One scheduler has one dirty one beside it, if the machine has a core for that: the second worker waits for it. Two schedulers on two cores share them with their dirty ones. Without the number of cores in the trace, dirty work is in nobody's way.
--- file two.txt
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1 dirty_cpu=1 cores=2
0us   <0.5.0> s1 in mfa=m:f/0
0us   <0.5.0> s1 spawn child=<0.6.0> mfa=m:g/0
0us   <0.5.0> s1 spawn child=<0.7.0> mfa=m:g/0
10us  <0.5.0> s1 exit reason=normal
10us  <0.6.0> s1 in mfa=m:g/0
110us <0.6.0> s1 out mfa=m:g/0
110us <0.7.0> s1 in mfa=m:g/0
112us <0.6.0> d1 in mfa=m:g/0
210us <0.7.0> s1 out mfa=m:g/0
412us <0.6.0> d1 out mfa=m:g/0
412us <0.7.0> d1 in mfa=m:g/0
420us <0.6.0> s1 in mfa=m:g/0
421us <0.6.0> s1 exit reason=normal
712us <0.7.0> d1 out mfa=m:g/0
715us <0.7.0> s1 in mfa=m:g/0
725us <0.7.0> s1 exit reason=normal
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
predict() { $STROBE predict "$@" --cores 1,2,4 --format csv 2>/dev/null | cut -d, -f1,3,7,8; }
echo "== two cores"; predict two.txt
echo "== four cores"; sed 's/cores=2/cores=4/' two.txt > four.txt; predict four.txt
echo "== one core"; sed 's/cores=2/cores=1/' two.txt > one.txt; predict one.txt
echo "== unknown"; sed 's/ cores=2//' two.txt > unknown.txt; predict unknown.txt
--- out
== two cores
cores,ns,work_ns,span_ns
1,720000,221000,410000
2,420000,221000,410000
4,410000,221000,410000
== four cores
cores,ns,work_ns,span_ns
1,720000,221000,410000
2,420000,221000,410000
4,410000,221000,410000
== one core
cores,ns,work_ns,span_ns
1,821000,221000,410000
2,420000,221000,410000
4,410000,221000,410000
== unknown
cores,ns,work_ns,span_ns
1,520000,221000,410000
2,420000,221000,410000
4,410000,221000,410000
