Sends to ports, ended processes and unknown names count in a range, as they do in the whole run.
--- trace
@meta node=a@h schedulers=2
100 <0.5.0> 1 in mfa=m:f/0
105 <0.5.0> 1 register name=boss
110 #Port<0.7> - open owner=<0.5.0> driver=efile
115 <0.6.0> 2 in mfa=m:g/0
116 <0.6.0> 2 send to=boss words=4 ext=20 hash=7
117 <0.6.0> 2 send to=nobody words=3 ext=12 hash=6
118 <0.6.0> 2 send to=#Port<0.7> words=2 ext=8 hash=8
119 <0.6.0> 2 send_to_non_existing_process to=<0.99.0> words=2 ext=8 hash=9
120 #Port<0.7> 2 in mfa=command
130 #Port<0.7> 2 out mfa=command
140 <0.5.0> 1 receive words=4 ext=20 hash=7
150 <0.5.0> 1 out mfa=m:f/0
151 <0.6.0> 2 out mfa=m:g/0
160 #Port<0.7> - closed reason=normal
--- run
$STROBE analyze T.txt > log
$STROBE report T.sbp top --format csv > whole; $STROBE report T.sbp top --since 0 --format csv | cmp - whole && echo same
$STROBE report T.sbp top --since 17ns --until 19ns --format csv | grep sent | cut -d, -f1-3,5
--- out
same
messages sent,1,<0.6.0>,2
mean size sent,1,<0.6.0>,2
