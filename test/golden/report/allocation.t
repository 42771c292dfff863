Words allocated between collections: fragments of messages waiting to be taken in count.
--- trace
@meta node=a@host schedulers=1
0us    <0.80.0>  s1  in              mfa=m:main/0
100us  <0.80.0>  s1  gc_minor_start  heap=500
110us  <0.80.0>  s1  gc_minor_end    heap=100
700us  <0.80.0>  s1  gc_minor_start  heap=900 mbuf=50
710us  <0.80.0>  s1  gc_minor_end    heap=200
900us  <0.80.0>  s1  gc_minor_start  heap=200
910us  <0.80.0>  s1  gc_minor_end    heap=200
1ms    <0.80.0>  s1  out             mfa=m:main/0
--- run
$STROBE report T.txt allocation --format csv
$STROBE report T.txt allocation --format csv --limit 1 --process '<0.80.0>'
--- out
start,dur_ns,allocated_words,words_per_s,reclaimed_words,gc_count,gc_ns,gc_ppm
0,32768,0,0,0,0,0,0
32768,32768,0,0,0,0,0,0
65536,32768,0,0,0,0,0,0
98304,32768,0,0,400,1,10000,305175
131072,32768,0,0,0,0,0,0
163840,32768,0,0,0,0,0,0
196608,32768,0,0,0,0,0,0
229376,32768,0,0,0,0,0,0
262144,32768,0,0,0,0,0,0
294912,32768,0,0,0,0,0,0
327680,32768,0,0,0,0,0,0
360448,32768,0,0,0,0,0,0
393216,32768,0,0,0,0,0,0
425984,32768,0,0,0,0,0,0
458752,32768,0,0,0,0,0,0
491520,32768,0,0,0,0,0,0
524288,32768,0,0,0,0,0,0
557056,32768,0,0,0,0,0,0
589824,32768,0,0,0,0,0,0
622592,32768,0,0,0,0,0,0
655360,32768,0,0,0,0,0,0
688128,32768,850,25939941,700,1,10000,305175
720896,32768,0,0,0,0,0,0
753664,32768,0,0,0,0,0,0
786432,32768,0,0,0,0,0,0
819200,32768,0,0,0,0,0,0
851968,32768,0,0,0,0,0,0
884736,32768,0,0,0,1,10000,305175
917504,32768,0,0,0,0,0,0
950272,32768,0,0,0,0,0,0
983040,32768,0,0,0,0,0,0
start,dur_ns,allocated_words,words_per_s,reclaimed_words,gc_count,gc_ns,gc_ppm
0,1048576,850,810623,1100,3,30000,
