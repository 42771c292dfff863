A file of nothing is the trace of nothing, which is hardly what was wanted.
--- run
: > T.trace
$STROBE info T.trace --format json
--- out
{
  "source": "otp",
  "version": null,
  "nodes": [],
  "files": 1,
  "events": 0,
  "bytes": 0,
  "span_ns": 0,
  "cpu_time": false,
  "date": null,
  "notes": {},
  "by_kind": {},
  "loss": {},
  "damage": []
}
--- err
strobe: T.trace: is empty, at byte 0: record it again
--- exit 1
