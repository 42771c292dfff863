Timestamps as far apart as 64 bits hold, of processes that wait all the time: their sums mean nothing and break nothing.
--- trace
-9223372036854775807ns - s1 waits mfa=m:f/0 kind=1
-9223372036854775807ns <0.1.0> s1 in mfa=m:f/0
-9223372036854775806ns <0.1.0> s1 out mfa=m:f/0
-9223372036854775806ns <0.2.0> s1 in mfa=m:f/0
-9223372036854775805ns <0.2.0> s1 out mfa=m:f/0
-9223372036854775805ns <0.3.0> s1 in mfa=m:f/0
-9223372036854775804ns <0.3.0> s1 out mfa=m:f/0
9223372036854775805ns <0.1.0> s1 in mfa=m:f/0
9223372036854775806ns <0.2.0> s2 in mfa=m:f/0
9223372036854775807ns <0.3.0> s3 in mfa=m:f/0
--- run
$STROBE query T.txt "SELECT count(*) FROM slice"
--- out
count(*)
       6
