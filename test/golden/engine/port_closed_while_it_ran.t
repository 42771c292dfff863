A port that is closed while it runs has no `out` event: its last slice ends at the close.
--- trace
@meta node=a@h schedulers=2
100 <0.5.0> 1 in mfa=m:f/0
110 #Port<0.7> 2 open owner=<0.5.0> driver=true
120 #Port<0.7> 2 in mfa=command
130 #Port<0.7> 2 out mfa=command
140 #Port<0.7> 2 in
145 #Port<0.7> 2 closed reason=normal
200 <0.5.0> 1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o P.sbp >/dev/null
$STROBE query P.sbp "select name, start, end, run_ns, runs from port" --format csv
$STROBE query P.sbp "select port, start, dur from slice where port is not null" --format csv
$STROBE merge P.sbp -o M.sbp >/dev/null
$STROBE query M.sbp "select name, run_ns, runs from port" --format csv
--- out
name,start,end,run_ns,runs
#Port<0.7>,10,45,15,2
port,start,dur
1,20,10
1,40,5
name,run_ns,runs
#Port<0.7>,15,2
