An Elixir task starts in Task.Supervised and gets its function in a message. The same message to another process changes nothing, and a second one to the task neither.
--- trace
@meta node=a@h creation=1 schedulers=1 recorded=procs,running,messages
0 <0.5.0> s1 spawned parent=<0.4.0> mfa=proc_lib:init_p/5 entry='Elixir.Task.Supervised':reply/2
0 <0.6.0> s1 spawned parent=<0.4.0> mfa=proc_lib:init_p/5 entry=my_server:init/1
0 <0.7.0> s1 spawned parent=<0.4.0> mfa=proc_lib:init_p/5 entry='Elixir.Task.Supervised':reply/2
1000 <0.5.0> s1 in mfa=proc_lib:init_p/5
1100 <0.5.0> s1 entry mfa='Elixir.Shop':'-open/1-fun-0-'/0
1100 <0.5.0> s1 receive hash=1
1200 <0.5.0> s1 entry mfa='Elixir.Shop':later/0
1200 <0.5.0> s1 receive hash=2
2000 <0.5.0> s1 out mfa='Elixir.Shop':sell/1
3000 <0.6.0> s1 entry mfa='Elixir.Shop':stock/1
3000 <0.6.0> s1 receive hash=3
4000 <0.5.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o P.sbp > log 2>&1
$STROBE query P.sbp "SELECT pid, entry FROM process WHERE parent IS NOT NULL" --format csv
$STROBE report P.sbp processes --elixir --format csv | cut -d, -f1,2 | grep Shop
$STROBE merge P.sbp -o M.sbp && cmp P.sbp M.sbp && echo same
--- out
pid,entry
<0.5.0>,'Elixir.Shop':'-open/1-fun-0-'/0
<0.6.0>,my_server:init/1
<0.7.0>,'Elixir.Task.Supervised':reply/2
anonymous fn/0 in Shop.open/1,1000
same
