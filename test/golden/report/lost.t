Every section says that the trace has gaps: text above the table, data on stderr. The sections that show losses as rows have
no such line. A trace without losses has none.
--- trace
@meta node=n@h schedulers=1 recorded=procs,running,messages
0   <0.5.0> s1 in      mfa=m:f/0
1us <0.5.0> s1 send    to=<0.6.0> words=3
2us -       -  drop    events=1200 class=1 until=1000
4us -       -  drop    events=7
5us <0.5.0> s1 exit    reason=normal
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
for f in text json csv tsv; do echo "$f"; $STROBE report P.sbp messages --format $f 2>err | grep -c LOST; cat err; done
for s in summary loss; do $STROBE report P.sbp $s 2>&1 | grep -c "Counts can be too"; done
for s in processes waits schedulers gc tree functions ports marks; do $STROBE report P.sbp $s | sed -n 1p; done | uniq -c
$STROBE query P.sbp "SELECT sum(count) FROM message_edge" --format csv 2>&1
$STROBE export P.sbp --to collapsed -o out 2>&1; echo $?
grep -v drop T.txt > whole.txt
$STROBE analyze whole.txt -o W.sbp > log 2>&1
$STROBE report W.sbp messages 2>&1 | grep -c LOST
$STROBE export W.sbp --to collapsed -o out 2>&1
--- out
text
1
json
0
strobe: LOST: procs 1,200, any 7. Counts can be too small, and times next to the gaps are unknown: strobe report P.sbp loss
csv
0
strobe: LOST: procs 1,200, any 7. Counts can be too small, and times next to the gaps are unknown: strobe report P.sbp loss
tsv
0
strobe: LOST: procs 1,200, any 7. Counts can be too small, and times next to the gaps are unknown: strobe report P.sbp loss
0
0
      8 LOST: procs 1,200, any 7. Counts can be too small, and times next to the gaps are unknown: strobe report P.sbp loss
sum(count)
1
strobe: LOST: procs 1,200, any 7. Counts can be too small, and times next to the gaps are unknown: strobe report P.sbp loss
strobe: no calls were recorded (--trace calls): shows process type > function when scheduled out
strobe: LOST: procs 1,200, any 7. Counts can be too small, and times next to the gaps are unknown: strobe report P.sbp loss
0
0
strobe: no calls were recorded (--trace calls): shows process type > function when scheduled out
