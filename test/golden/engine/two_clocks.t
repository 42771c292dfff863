Stamps of CPU time and of wall time find no place on one axis.
--- trace
@meta node=a@h creation=1 cpu
1000 <0.5.0> 1 in mfa=m:f/0
2000 <0.5.0> 1 out mfa=m:f/0
--- run
sed 's/a@h/b@h/; s/ cpu/ wall/' T.txt > U.txt
$STROBE analyze T.txt U.txt -o T.sbp 2>&1; ls
--- out
strobe: some of these traces have wall-clock time stamps and others do not: analyse the traces of a@h and b@h separately
T.txt
U.txt
