Where code is loaded longer than any process of the program works alone, the first screen says that, and not the name of the code server.
Nobody is named who was not at work alone for half of the serial time.
--- trace
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0   <0.2.0> s1 spawn child=<0.9.0> mfa=shop:main/0
0   <0.9.0> s1 in mfa=shop:main/0
0   <0.50.0> s1 register name=code_server
200us <0.9.0> s1 send to=<0.50.0> words=5
200us <0.9.0> s1 out mfa=code_server:call/1
200us <0.50.0> s1 in mfa=code_server:loop/1
9800us <0.50.0> s1 out mfa=code_server:loop/1
9800us <0.9.0> s1 in mfa=code_server:call/1
10ms <0.9.0> s1 exit reason=normal
--- run
COLUMNS=100 $STROBE report T.txt | grep -E -A1 'most work|serial'
# nor is the work of a module when it is loaded a part of the program that can be divided
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    echo "0 <0.9.0> s1 spawn child=<0.20.0> mfa=code_server:'-handle_on_load/5-fun-0-'/1"
    awk 'BEGIN {
        for (t = 1000; t < 9000000; t += 1000000)
            printf "%d <0.20.0> s1 in mfa=shop:on_load/0\n%d <0.20.0> s1 out mfa=shop:on_load/0\n", t, t + 950000
        printf "%d <0.20.0> s1 in mfa=shop:on_load/0\n%d <0.20.0> s1 exit reason=normal\n", t, t + 1000
    }'
} > O.txt
COLUMNS=100 $STROBE report O.txt findings | grep -c serial_phase || true
COLUMNS=100 $STROBE report O.txt | grep 'most work'
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2"
    for p in 20 21 22; do echo "${p}ms <0.$p.0> s1 in mfa=shop:part/0"; echo "${p}900us <0.$p.0> s1 exit reason=normal"; done
} > P.txt
COLUMNS=100 $STROBE report P.txt | grep -A1 '^serial'
--- out
- most work was in the loading of code (9.60 ms)

--
serial            unknown (between 2 and 100 %) of the time one was at work and nobody else was
                  ready, most often to load code
0
- most work was in the loading of code (8.55 ms)
serial            93.1 % of the time one was at work and nobody else was ready
idle              6.9 % of the time nothing was at work on any scheduler
