Without the number of schedulers a share of them is unknown and no limit can hold. With one scheduler "serial" means nothing.
--- trace
0     <0.80.0>  s1  in    mfa=shop:main/0
100us <0.81.0>  s2  in    mfa=till:loop/1
200us <0.81.0>  s2  out   mfa=till:loop/1
300us <0.80.0>  s1  out   mfa=shop:main/0
--- run
$STROBE report T.txt | grep -E '^(parallelism|too few|serial|idle)'
$STROBE report T.txt --fail-on 'too few to run < 1%' > /dev/null; echo "exit $?"
$STROBE report T.txt --fail-on 'idle < 1%' > /dev/null; echo "exit $?"
(echo '@meta schedulers=1'; grep '<0.80.0>' T.txt) > one.txt
COLUMNS=120 $STROBE report one.txt | grep -E '^(parallelism|too few|serial|idle)'
$STROBE report one.txt --fail-on 'serial > 1%' > /dev/null; echo "exit $?"
--- out
parallelism       1.33 processes at work on average; the number of schedulers is
serial            66.7 % (between 33 and 67 %) of the time one was at work and
idle              0.0 % of the time nothing was at work on any scheduler
exit 1
exit 3
parallelism       1.00 processes at work on average, on 1 scheduler
idle              0.0 % of the time nothing was at work on any scheduler
exit 1
