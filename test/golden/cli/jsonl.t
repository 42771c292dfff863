dump --format jsonl writes an object per line; --format json writes them as one array.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
5us <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE dump T.txt --format jsonl
$STROBE dump T.txt --format jsonl --since 1us | wc -l
$STROBE dump T.txt --format jsonl -o T.jsonl; $STROBE dump T.txt --format json > T.json
python3 -c 'import json; print([json.loads(x) for x in open("T.jsonl")] == json.load(open("T.json")))'
--- out
{"at_ns":0,"who":"<0.5.0>","scheduler":1,"kind":"in","mfa":"m:f/0"}
{"at_ns":5000,"who":"<0.5.0>","scheduler":1,"kind":"out","mfa":"m:f/0"}
1
True
