Numbers of nanoseconds may have a unit, as stamps may; other numbers may not.
--- trace
1ms <0.85.0> s1 in mfa=m:f/0
2ms - - drop events=3 until=2us
3ms - - drop events=3us until=2us
4ms - - thread name="1_scheduler" tid=7 cpu=1.5ms queue=20
5ms <0.85.0> s1 out mfa=m:f/0
--- run
$STROBE dump T.txt
--- out
1000000 <0.85.0> s1 in mfa=m:f/0
2000000 - - drop events=3 until=2000
4000000 - - thread name="1_scheduler" tid=7 cpu=1500000 queue=20
5000000 <0.85.0> s1 out mfa=m:f/0
--- err
strobe: T.txt: bad value '3us' for events, at byte 61: 3 records could be read; use those, or record it again
--- exit 1
