query --tables names every table and column that a statement can read, with types, units and meaning.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
5us <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE query --tables migration
$STROBE query --tables timeline --format csv
$STROBE query --tables --format json > tables.json
$STROBE analyze T.txt > log
cat > check.py <<'PY'
import json, os, subprocess
rows = json.load(open("tables.json"))
args = {}
for r in rows:
    if r["type"] == "argument":
        args.setdefault(r["table"], []).append(r["doc"] == "required")
sample = {"stats": "'slice', 'dur'", "timeline": "'all', 0, 1000, 8", "slice_by": "'process', 0, 1000", "message_by": "'count', 8", "state_by": "0, 1000", "wait_by": "0, 1000", "cpu_function": "0, 1000", "forecast": "'1,2'"}
for table in {r["table"]: 0 for r in rows}:
    columns = [r["column"] for r in rows if r["table"] == table and r["column"] and r["type"] != "argument"]
    call = f"({sample[table]})" if table in args else ""
    sql = f"SELECT {', '.join(chr(34) + c + chr(34) for c in columns)} FROM {table}{call}"
    p = subprocess.run([os.environ["STROBE"], "query", "T.sbp", sql], capture_output=True, text=True)
    if p.returncode:
        print(table, p.stderr.strip())
PY
python3 check.py
--- out
migration: a process continued on another scheduler
column          type     unit            doc
process         integer  id              process.id
at              integer  ns since start  --
from_scheduler  integer  id              scheduler.id
to_scheduler    integer  id              scheduler.id
table,column,type,unit,doc
timeline,,computed,,"timeline(track, t0, t1, n): exact nanoseconds by state in at most n buckets; track is all, scheduler:ID, process:ID, group:ID or a track.id"
timeline,track,argument,,
timeline,t0,argument,,
timeline,t1,argument,,
timeline,n,argument,,
timeline,start,integer,ns since start,of the bucket
timeline,dur,integer,ns,of the bucket
timeline,running_ns,integer,ns,gc apart
timeline,gc_ns,integer,ns,
timeline,dirty_ns,integer,ns,
timeline,runnable_ns,integer,ns,
timeline,waiting_ns,integer,ns,
timeline,handover_ns,integer,ns,
timeline,dirty_gc_ns,integer,ns,part of gc_ns that was on dirty schedulers
timeline,ports_ns,integer,ns,ports at work
timeline,schedulers_ns,integer,ns,schedulers at work
timeline,longest_ns,integer,ns,longest single run that touches it
timeline,peak_running,integer,count,most at one moment
timeline,peak_runnable,integer,count,most at one moment
