Memory of binaries that grows and stays is advice of the first screen, although what a cure saves is unknown. What the
VM held stands among the facts, with the part that grew by a fifth of it or more.
--- run
# router keeps references to 64 MB of binaries
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages,gc schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=shop:router/1"
    echo "10 - - sample item=memory key=binary value=200000"
    echo "10 - - sample item=memory key=total value=$1"
    echo "10 - - sample item=memory key=processes value=100000"
    echo "1000 <0.20.0> s1 in mfa=shop:router/1"
    echo "5000 <0.20.0> s1 gc_minor_start heap=1000 block=2000 bin=10000000 old=0 mbuf=0 need=1"
    echo "6000 <0.20.0> s1 gc_minor_end heap=1000 block=2000 bin=8000000 old=0 mbuf=0 need=1"
    echo "900000 <0.20.0> s1 out mfa=shop:router/1"
    echo "900050 - - sample item=memory key=total value=$3"
    echo "900100 - - sample item=memory key=binary value=64000000"
    echo "900100 - - sample item=memory key=processes value=300000"
    echo "900100 - - sample item=memory key=total value=$2"
    echo "1000000 <0.20.0> s1 in mfa=shop:router/1"
    echo "1000100 <0.20.0> s1 exit reason=normal"
}
trace 10000000 74000000 75000000 > T.txt
COLUMNS=100 $STROBE report T.txt | sed -n '/^Worth/,/^$/p;/^memory/,/^[a-z]* *$/p'
trace 910000000 974000000 974000000 > T.txt
COLUMNS=100 $STROBE report T.txt | grep -A1 '^memory'
--- out
Worth looking at
1. memory of binaries grew from 200 kB to 64.0 MB and stayed; shop:router/1 <0.20.0> refers to
   64.0 MB of it with a heap of 8.00 kB: what a cure saves is unknown
   cure: copy the part that is kept with binary:copy/1, or hibernate the process that holds the
         references
   strobe report T.sbp findings

memory            the VM held 75.0 MB at most, 74.0 MB at the last sample; binaries grew from 200 kB
                  to 64.0 MB

memory            the VM held 974 MB at most, 974 MB at the last sample

