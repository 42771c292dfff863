Processes are asked for by words of what is shown of them, as Erlang or as Elixir writes it, in any script and case.
--- trace
@meta node=a@h creation=1 schedulers=1 recorded=procs,running
0 <0.5.0> s1 exists name=ПРОЦЕСС status=0
1000 <0.6.0> s1 spawned parent=<0.5.0> mfa='Elixir.Task.Supervised':reply/2
2000 <0.7.0> s1 spawned parent=<0.5.0> mfa='Elixir.My.Worker':run/1
3000 <0.6.0> s1 in mfa=m:f/0
4000 <0.6.0> s1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
for p in 'процесс' 'Task.Supervised.reply/2' "'Elixir.Task.Supervised':reply/2" 'run my.worker' '<0.5.0>' 'm:f/0' 'worker nobody' "'"; do
    $STROBE report T.sbp processes --process "$p" --format csv 2>&1 | sed 1d | cut -d, -f1
    $STROBE report T.sbp processes --process "$p" --format csv 2>&1 | grep '^strobe'
done
true
--- out
'ПРОЦЕСС'
m:f/0
m:f/0
'Elixir.My.Worker':run/1
'ПРОЦЕСС'
m:f/0
strobe: no process matches 'worker nobody': give words of its name, label or function, a pid, or process.id
strobe: no process matches ''': give words of its name, label or function, a pid, or process.id
