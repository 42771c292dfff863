Exports write functions and processes as their source does; tables for other databases (csv, parquet) keep the profile's text.
--- trace
@meta node=a@h creation=1 schedulers=1 recorded=procs,running,messages,calls
0 <0.5.0> s1 spawned parent=<0.4.0> mfa='Elixir.My.Worker':run/1
1000 <0.5.0> s1 in mfa='Elixir.My.Worker':run/1
1000 <0.5.0> s1 call mfa='Elixir.My.Worker':run/1
2000 <0.5.0> s1 call mfa='Elixir.My.Worker':'-run/1-fun-0-'/1
2500 <0.5.0> s1 send to=<0.4.0> words=3 hash=7
3000 <0.5.0> s1 return_to mfa='Elixir.My.Worker':run/1
3000 <0.5.0> s1 call mfa=lists:map/2
4000 <0.5.0> s1 return_to mfa='Elixir.My.Worker':run/1
5000 <0.5.0> s1 out mfa='Elixir.My.Worker':run/1
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE export T.sbp --to collapsed -o -
$STROBE export T.sbp --to callgrind -o - | grep -E '^(c?f[nli])=.*[(].*[)] '
for f in speedscope pprof perfetto chrome firefox svg dot; do
    $STROBE export T.sbp --to $f -o out > /dev/null 2>&1 || echo "$f failed"
    (gzip -dc out 2>/dev/null || cat out) > plain
    if grep -aq "Elixir\\." plain; then echo "$f: Elixir.My.Worker"; else echo "$f: $(grep -ao 'My[.]Worker[.]run/1' plain | head -1)"; fi
done
$STROBE export T.sbp --to csv --table function -o - | grep -c Elixir
--- out
My.Worker.run/1 1000
My.Worker.run/1;My.Worker.run/1 2000
My.Worker.run/1;My.Worker.run/1;anonymous fn/1 in My.Worker.run/1 1000
fl=(2) beam
fn=(2) all processes
cfi=(3) My.Worker
cfn=(3) My.Worker.run/1
cfn=(4) anonymous fn/1 in My.Worker.run/1
cfn=(6) suspend
cfi=(4) lists
cfn=(5) lists:map/2
speedscope: My.Worker.run/1
pprof: My.Worker.run/1
perfetto: My.Worker.run/1
chrome: My.Worker.run/1
firefox: My.Worker.run/1
svg: My.Worker.run/1
dot: My.Worker.run/1
2
