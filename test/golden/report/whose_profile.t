A profile that a command made for itself is used for its trace alone: a trace of the same stem gets a profile of its own,
and a trace that was replaced by an older one is analysed again. A profile that was written with -o is used if it is newer.
--- trace
0    <0.5.0> 1 in mfa=m:f/0
9us  <0.5.0> 1 exit reason=normal
--- file other.txt
0    <0.6.0> 1 in mfa=m:g/0
5us  <0.6.0> 1 exit reason=normal
--- run
pid() { $STROBE query "$1" "SELECT pid, run_ns FROM process" --format csv | tail -n 1; }
cp T.txt app.txt; cp other.txt app.trace
pid app.txt; pid app.trace; pid app.txt; pid app.trace
ls app*.sbp
touch -d '2020-01-01' other.txt; cp -p other.txt app.txt
pid app.txt
echo "10us <0.5.0> 1 in" >> app.trace; touch -d '2020-01-01' app.trace; pid app.trace
$STROBE query app.sbp "SELECT count(*) FROM meta WHERE key = 'trace'" --format csv
$STROBE analyze T.txt -o app.sbp > log; pid app.txt
$STROBE query app.sbp "SELECT count(*) FROM meta WHERE key = 'trace'" --format csv
$STROBE merge app.trace.sbp -o m.sbp; $STROBE query m.sbp "SELECT count(*) FROM meta WHERE key = 'trace'" --format csv
--- out
<0.5.0>,9000
<0.6.0>,5000
<0.5.0>,9000
<0.6.0>,5000
app.sbp
app.trace.sbp
<0.6.0>,5000
<0.5.0>,0
count(*)
1
<0.5.0>,9000
count(*)
0
count(*)
0
