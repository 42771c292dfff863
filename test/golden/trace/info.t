What a trace is, what is in it, and what was lost.
--- trace
@meta node=a@host schedulers=2 recorded=procs,messages
0    <0.85.0> s1 spawn child=<0.90.0> mfa=m:f/0
1ms  <0.85.0> s1 send to=<0.90.0> words=5 ext=12 hash=9af3
2ms  <0.90.0> s2 receive words=5 ext=12 hash=9af3
3ms  <0.90.0> s2 drop events=7 class=3
4ms  <0.90.0> s2 exit reason=normal
--- run
$STROBE info T.txt
$STROBE info T.txt --format json
--- out
source               text
node                 a@host
schedulers           2
events               4 in 287 B, 1 file
time                 4.00 ms
lost                 7 events of messages

kind     class     events
send     messages       1
receive  messages       1
spawn    procs          1
exit     procs          1
{
  "source": "text",
  "version": null,
  "nodes": [
    "a@host"
  ],
  "files": 1,
  "events": 4,
  "bytes": 287,
  "span_ns": 4000000,
  "cpu_time": false,
  "date": null,
  "notes": {},
  "by_kind": {
    "send": 1,
    "receive": 1,
    "spawn": 1,
    "exit": 1
  },
  "loss": {
    "messages": 7
  },
  "damage": []
}
