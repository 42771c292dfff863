A damaged trace can count calls of no function: they belong to no row.
--- trace
@meta node=n@h schedulers=1
0    <0.5.0> s1 in mfa=m:f/0
10us -       -  counter last=0
20us -       -  counter calls=7 last=1
30us <0.5.0> s1 exit reason=normal
--- run
$STROBE query T.txt "SELECT count(*) AS n FROM function" --format csv
--- out
n
0
