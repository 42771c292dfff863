Operations are built side by side where there are many: the forecast is the same with one thread and with several.
--- run
$(dirname "$STROBE")/strobe-gen --format sbt --events 400000 --processes 500 -o T.sbt
$STROBE analyze T.sbt > said 2>&1
$STROBE report T.sbp forecast --format csv > all.csv
rm -f T.sbp.answers
taskset -c 0 $STROBE report T.sbp forecast --format csv > one.csv
cmp one.csv all.csv && awk -F, 'END { print (NR > 5), ($7 > 0) }' all.csv
--- out
1 1
