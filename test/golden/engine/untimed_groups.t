Without timestamps no process of a group is known to have run most: the first represents it.
--- trace
@meta node=a@h creation=1 untimed
- <0.5.0> 1 spawn child=<0.6.0> mfa=m:f/0
- <0.5.0> 1 spawn child=<0.7.0> mfa=m:f/0
- <0.5.0> 1 spawn child=<0.8.0> mfa=m:f/0
- <0.7.0> 1 in mfa=m:f/0
- <0.6.0> 2 in mfa=m:f/0
- <0.6.0> 2 out mfa=m:f/0
- <0.7.0> 1 out mfa=m:f/0
--- run
$STROBE query T.txt "SELECT processes, representative, run_ns FROM process_group WHERE processes > 1" --format csv
--- out
processes,representative,run_ns
3,2,
