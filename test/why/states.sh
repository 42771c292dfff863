#!/bin/bash
# What the account says of the CPU time by samples, for a program that does six kinds of work for half a second each.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=$(realpath "${STROBE:-$root/build/strobe}")
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
cat > parts.erl <<'END'
-module(parts).
-export([main/0]).

%% Each part is one kind of work of the VM for the same CPU time, by the clock of the process of the operating system.
main() ->
    ets:new(t, [named_table]),
    ets:insert(t, [{N, N} || N <- lists:seq(1, 3000)]),
    List = [{N, N} || N <- lists:seq(1, 3000)],
    Bytes = binary:copy(<<"0123456789abcdef">>, 1000),
    Sink = spawn_link(fun sink/0),
    Said = [{Name, part(F)} || {Name, F} <- [
        {cpu_erlang, fun() -> loop(100000) end},
        {cpu_bif, fun() -> lists:keyfind(0, 1, List) end},
        {cpu_ets, fun() -> ets:match(t, {'_', none}) end},
        {cpu_nif, fun() -> crypto:hash(sha512, Bytes) end},
        {cpu_gc, fun() -> erlang:garbage_collect() end},
        {cpu_send, fun() -> Sink ! List, Sink ! {self(), List}, receive Sink -> ok end end}]],
    [io:format("~s ~b~n", [Name, Ms]) || {Name, Ms} <- Said],
    length(List) > 0 andalso halt().

sink() ->
    receive {From, _} -> From ! self(); _ -> ok end,
    erlang:garbage_collect(),
    sink().

part(F) -> {T, _} = statistics(runtime), until(F, T + 500), {End, _} = statistics(runtime), End - T.

until(F, End) ->
    case statistics(runtime) of
        {T, _} when T < End -> [F() || _ <- lists:seq(1, 10)], until(F, End);
        _ -> ok
    end.

loop(0) -> ok;
loop(N) -> loop(N - 1).
END
erlc parts.erl || exit 1
"$STROBE" record --report never --trace all,cpu -o p.sbt -- erl +S 1 -noshell -s parts main > said 2> log
if grep -q "no samples of the CPU" log; then echo "ok states # SKIP $(grep 'no samples' log)"; exit; fi
"$STROBE" report p.sbt why --limit 0 --format csv > why 2>> log
# Each is a sixth of the CPU time but for the start of the VM and what one kind of work has of another. The stacks of
# some functions of ETS end before a function with a name.
python3 - <<'END'
import csv, re
row = {r["part"]: r for r in csv.DictReader(open("why")) if r["part"].startswith("cpu_")}
def share(part):
    return float(re.search(r"([\d.]+) %", row[part]["what"]).group(1)) if part in row else 0
def check(what, ok, seen):
    print("ok states: " + what if ok else f"not ok states: {what}: {seen}")
seen = {part: share(part) for part in row}
for part in ("erlang", "bif", "nif", "gc", "send"):
    check(f"cpu_{part} is about a sixth", 11 < share("cpu_" + part) < 23, seen)
ets = share("cpu_ets")
check("so is cpu_ets, with what is unknown", ets > 4 and 11 < ets + share("cpu_unknown") < 23, seen)
check("together they are all", abs(sum(seen.values()) - 100) < 0.5, seen)
check("no share of them is one of the schedulers' time", all(r["share"] == "" for r in row.values()), row)
END
