One rule for what is in a range, in every voice: a range is half open; a span that overlaps it counts with its part inside; a
moment at its end is not in it. The
collection is from 1200 to 1900 of the run, the process moves at 3000 and marks at 3000 and 4000, the end of the run.
--- trace
@meta node=n@h schedulers=2 recorded=procs,running,messages,gc,marks
1000 <0.9.0> s1 spawned parent=<0.1.0> mfa=m:start/0
1000 <0.9.0> s1 in mfa=m:start/0
2200 <0.9.0> s1 gc_major_start heap=9 block=9 bin=0 old=0 mbuf=0 need=1
2900 <0.9.0> s1 gc_major_end heap=9 block=9 bin=0 old=0 mbuf=0 need=1
3000 <0.9.0> s1 out mfa=m:loop/0
4000 <0.9.0> s2 in mfa=m:loop/0
4000 <0.9.0> s2 mark text=begins
4000 <0.9.0> s2 send to=<0.8.0> words=2 hash=1
5000 <0.9.0> s2 mark text=ends
5000 <0.9.0> s2 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
cell() { $STROBE report T.sbp $1 --format csv $3 | tr -d '\r' | awk -F, -v name=$2 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) n = i; next } { s = s (NR > 2 ? " " : "") $n } END { print (NR > 1 ? s : "-") }'; }
for range in "--since 1500ns --until 2500ns" "--since 1300ns --until 1500ns" "--since 2us --until 3us" "--since 3us --until 3500ns" "--until 4us"; do
  echo "$range: slices $(cell schedulers slices "$range"), on them $(cell schedulers slice_ns "$range"), run $(cell processes run_ns "$range")"
  echo "  gc $(cell gc gc_ns "$range") in $(cell gc gc_count "$range"), gc of processes $(cell processes gc_ns "$range"), of $(cell gc run_ns "$range")"
  echo "  moves $(cell migrations migrations "$range"), marks $(cell marks text "$range"), messages $(cell messages count "$range")"
done
--- out
--since 1500ns --until 2500ns: slices 1 0, on them 500 0, run 500
  gc 400 in 1, gc of processes 400, of 500
  moves -, marks -, messages -
--since 1300ns --until 1500ns: slices 1 0, on them 200 0, run 200
  gc 200 in 1, gc of processes 200, of 200
  moves -, marks -, messages -
--since 2us --until 3us: slices 0 0, on them 0 0, run 0
  gc - in -, gc of processes 0, of -
  moves -, marks -, messages -
--since 3us --until 3500ns: slices 0 1, on them 0 500, run 500
  gc - in -, gc of processes 0, of -
  moves 1, marks begins, messages 1
--until 4us: slices 1 1, on them 2000 1000, run 3000
  gc 700 in 1, gc of processes 700, of 3000
  moves 1, marks begins ends, messages 1
