A malformed line is left out and reported with its position.
--- trace
1ms <0.85.0> s1 in mfa=m:f/0
2ms <0.85.0> s1 in what=m:f/0
3ms <0.85.0> s1 out mfa=m:f/0
--- run
$STROBE dump T.txt
--- out
1000000 <0.85.0> s1 in mfa=m:f/0
3000000 <0.85.0> s1 out mfa=m:f/0
--- err
strobe: T.txt: in has no 'what', at byte 29: 2 records could be read; use those, or record it again
--- exit 1
