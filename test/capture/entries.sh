#!/bin/bash
# The functions that processes run, as their source names them: funs of code that has no file, servers, tasks of Elixir.
root=$(cd "$(dirname "$0")/../.." && pwd)
strobe=${STROBE:-$root/build/strobe}
dir=$(mktemp -d "${TMPDIR:-/tmp}/strobe-entries-XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

cat > script.escript <<'END'
#!/usr/bin/env escript
-mode(compile).
main([Ebin | _] = Args) ->
    code:add_patha(Ebin),
    Self = self(),
    N = length(Args),
    Notify = fun(What) -> Self ! {What, N} end,
    Funs = [fun() -> Notify(first) end, fun() -> Notify(second), N end,
            fun Third() -> Notify(third), is_function(Third) end],
    Shared = fun erlang:garbage_collect/0,
    {ok, Socket} = gen_tcp:listen(0, []),
    {ok, Pids, #{lost := 0}} =
        strobe:profile("script.sbt", fun() -> [run(F) || F <- [Shared | Funs]] end,
                       [{trace, [procs, messages, ports]}]),
    ok = file:write_file("port", io_lib:format("~p ~p", [Socket, Self])),
    io:format("~p erlang:garbage_collect/0~n", [hd(Pids)]),
    [io:format("~p ~p:~p/~p~n", [Pid, ?MODULE, Name, arity(Name)])
     || {Pid, F} <- lists:zip(tl(Pids), Funs), {name, Name} <- [erlang:fun_info(F, name)]].

run(F) ->
    {Pid, Ref} = spawn_monitor(F),
    receive {'DOWN', Ref, process, Pid, normal} -> Pid end.

arity(Name) -> proplists:get_value(Name, ?MODULE:module_info(functions)).
END
cat > script.exs <<'END'
defmodule Shop do
  use GenServer
  def start_link(x), do: GenServer.start_link(__MODULE__, x)
  def init(x), do: {:ok, x}
  def sell(n), do: n + 1
  def seed, do: 7
  def me(_), do: self()
end

defmodule Shop.Children do
  use DynamicSupervisor
  def init(_), do: DynamicSupervisor.init(strategy: :one_for_one)
end

defmodule Shop.State do
  def callback_mode, do: :handle_event_function
  def init(x), do: {:ok, :open, x}
  def handle_event(_, _, _, _), do: :keep_state_and_data
end

run = fn task -> Task.await(task) && task.pid end
here = "at the top level of a file"
{:ok, pids, %{lost: 0}} = :strobe.profile('script.sbt', fn ->
  {:ok, server} = Shop.start_link(1)
  {:ok, state} = :gen_statem.start_link(Shop.State, 1, [])
  {:ok, children} = DynamicSupervisor.start_link(Shop.Children, [])
  {:ok, seeded} = Agent.start_link(Shop, :seed, [])
  {:ok, agent} = Agent.start_link(fn -> 1 end)
  {:ok, sup} = Task.Supervisor.start_link()
  {:ok, child} = Task.Supervisor.start_child(sup, Shop, :sell, [1])
  [shared] = [1] |> Task.async_stream(&Shop.me/1) |> Enum.map(fn {:ok, pid} -> pid end)
  [streamed] = [1] |> Task.async_stream(fn _ -> self() end) |> Enum.map(fn {:ok, pid} -> pid end)
  [{server, "Shop.init/1"}, {state, "Shop.State.init/1"}, {children, "Shop.Children.init/1"},
   {seeded, "Shop.seed/0"}, {agent, "anonymous fn/0 #{here}"}, {child, "Shop.sell/1"},
   {run.(Task.async(Shop, :sell, [1])), "Shop.sell/1"},
   {run.(Task.async(fn -> Shop.sell(1) end)), "anonymous fn/0 #{here}"},
   {run.(Task.Supervisor.async(sup, Shop, :sell, [1])), "Shop.sell/1"},
   {run.(Task.Supervisor.async_nolink(sup, fn -> Shop.sell(1) end)), "anonymous fn/0 #{here}"},
   {shared, "Shop.me/1"}, {streamed, "anonymous fn/1 #{here}"}]
end, trace: [:procs, :messages])
for {pid, name} <- pids, do: IO.puts("#{String.trim_leading(inspect(pid), "#PID")} #{name}")
END

compare() { # NAME, options of report: each line of the program, PID ENTRY, is a process of the trace
    "$strobe" report script.sbt processes --limit 0 --format json "${@:2}" > processes.json
    python3 - <<'END' && echo "ok entries: $1" || { echo "not ok entries: $1"; cat log; }
import json
said = dict(line.split(" ", 1) for line in open("said").read().splitlines())
found = {p["pid"]: p["entry"] for p in json.load(open("processes.json"))}
bad = [f"{pid}: {name}, recorded {found.get(pid)}" for pid, name in said.items() if found.get(pid) != name]
print("\n".join(bad))
raise SystemExit(bool(bad) or not said)
END
    rm -f script.sbt script.sbp
}
ebin=$root/build/erlang/strobe/ebin
escript script.escript "$ebin" > said 2> log
owner=$("$strobe" query script.sbt "SELECT port.name || ' ' || pid(owner) FROM port" --format tsv)
if [ -s port ] && grep -qFx "$(cat port)" <<< "$owner"; then echo "ok entries: a port that was open has its owner"
else echo "not ok entries: a port that was open has its owner: $(cat port), not $owner"; fi
compare "funs of a compiled script have their names"
cat > named.escript <<'END'
#!/usr/bin/env escript
main([Ebin]) ->
    code:add_patha(Ebin),
    Run = fun(Name) -> proc_lib:spawn(fun() -> put(process_name, Name), receive stop -> ok end end) end,
    Pids = [Run(N) || N <- [{queue_process, {resource, <<"/">>, queue, <<"orders">>}}, {pump, 7}]],
    {ok, _, #{lost := 0}} = strobe:profile("named.sbt", fun() -> timer:sleep(20) end, [{trace, [procs]}]),
    io:format("~p queue 'orders' in vhost '/'~n~p {pump,7}~n", Pids).
END
escript named.escript "$ebin" > said 2> log
"$strobe" query named.sbt "SELECT pid || ' ' || label FROM process WHERE label IS NOT NULL ORDER BY id" --format tsv |
    tail -n +2 > found
if [ -s said ] && cmp -s said found; then echo "ok entries: names that processes keep in their dictionary"
else echo "not ok entries: names that processes keep in their dictionary: $(cat said), not $(cat found log)"; fi
if ! command -v elixir > /dev/null; then
    echo "ok entries: Elixir's servers, agents and tasks # SKIP no elixir"
else
    elixir -pa "$ebin" script.exs > said 2> log
    compare "Elixir's servers, agents and tasks" --elixir
fi
