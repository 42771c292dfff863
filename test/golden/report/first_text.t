The function whose name comes first of all names is a function as any other.
--- run
cat > T.txt <<'T'
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1
0 <0.9.0> s1 spawn child=<0.20.0> mfa='Elixir.Aaa':run/0
10 <0.20.0> s1 in mfa='Elixir.Aaa':run/0
5000000 <0.20.0> s1 out mfa='Elixir.Aaa':await/0
9000000 <0.20.0> s1 in mfa='Elixir.Aaa':await/0
9000001 <0.20.0> s1 receive words=1 timeout
9500000 <0.20.0> s1 exit reason=normal
T
$STROBE query T.txt "SELECT kind, function, dur FROM critical" --format csv
--- out
kind,function,dur
queue,,10
run,'Elixir.Aaa':run/0,4999990
timer,'Elixir.Aaa':await/0,3998000
queue,,2000
run,'Elixir.Aaa':await/0,500000
