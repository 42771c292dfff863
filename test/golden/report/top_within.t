The measures of top in a range are those of the part of each process in it; the messages are those sent and received in it.
--- copy shop.txt
--- run
$STROBE analyze T.txt > log
$STROBE report T.sbp top --since 80us --until 300us --format csv | cut -d, -f1-3,5-6
echo; $STROBE report T.sbp top --since 80us --until 300us --process till --limit 1 --format csv | cut -d, -f1-3,5
$STROBE report T.sbp top --format csv > whole; $STROBE report T.sbp top --since 0 --format csv | cmp - whole && echo same
echo; $STROBE report T.sbp top --since 460us --until 480us --format csv | cut -d, -f1-3,5-6
--- out
by,rank,process,raw,life_ppm
run time,1,<0.80.0>,220000,1000000
run time,2,till,90000,409090
waiting,1,till,120000,545454
waiting to run,1,till,10000,45454
garbage collection,1,till,10000,45454
messages received,1,till,1,
messages sent,1,<0.80.0>,1,
mean size received,1,till,12,
mean size sent,1,<0.80.0>,12,

by,rank,process,raw
run time,1,till,90000
waiting,1,till,120000
waiting to run,1,till,10000
garbage collection,1,till,10000
messages received,1,till,1
mean size received,1,till,12
same

by,rank,process,raw,life_ppm
waiting,1,till,20000,1000000
waiting to run,1,<0.80.0>,20000,1000000
