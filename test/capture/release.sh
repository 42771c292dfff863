#!/bin/bash
# Releases recorded from their boot on: what applications do while they start is in the trace, probes of the start
# script have traces of their own, arguments and exit codes are the release's.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=${STROBE:-$root/build/strobe}
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
check() { # NAME, then a command that must succeed
    local name=$1; shift
    if "$@" >out.log 2>&1; then echo "ok release: $name"
    else echo "not ok release: $name: $(tail -n 5 out.log | tr '\n' ' ')"; fi
}
same() { [ "$2" = "$3" ] || { echo "$1: $3, not $2"; cat err.log; return 1; }; }
events() { "$STROBE" info --format json "$1" | grep -o "\"$2\": *[0-9]*" | grep -o '[0-9]*$'; }
lines() { "$STROBE" dump "$1" | grep -cE "$2"; }

# ---- of OTP's own making: an application that does its work while it starts, and ends by a code of its own
cat > shop.erl <<'END'
-module(shop).
-behaviour(application).
-export([start/2, stop/1, init/1, customer/1]).
start(_, _) ->
    supervisor:start_link({local, shop_sup}, ?MODULE, []).
stop(_) -> ok.
init([]) ->
    Customers = [spawn(?MODULE, customer, [self()]) || _ <- lists:seq(1, 70)],
    [receive {served, C} -> ok end || C <- Customers],
    ok = file:write_file("arguments", io_lib:format("~p", [init:get_plain_arguments()])),
    spawn(fun() -> init:stop(7) end),
    {ok, {{one_for_one, 1, 1}, []}}.
customer(Shop) -> Shop ! {served, self()}.
END
cat > shop.app <<'END'
{application, shop, [{description, "a shop"}, {vsn, "1"}, {modules, [shop]}, {registered, [shop_sup]},
                     {applications, [kernel, stdlib]}, {mod, {shop, []}}]}.
END
# the second probe ends by halt within -eval
cat > shop.sh <<'END'
#!/bin/sh
version=$(erl -noshell -eval 'io:put_chars(erlang:system_info(version)), halt().') || exit 1
erl -noshell -eval 'halt(3).'; [ $? = 3 ] || exit 1
[ -n "$version" ] && exec erl -mode embedded -noshell -boot shop -extra "$@"
END
chmod +x shop.sh
make() {
    erlc shop.erl && erl -noshell -eval '
        Vsn = fun(A) -> application:load(A), {ok, V} = application:get_key(A, vsn), {A, V} end,
        ok = file:write_file("shop.rel", io_lib:format("~p.~n", [{release, {"shop", "1"},
            {erts, erlang:system_info(version)},
                                                                 [Vsn(kernel), Vsn(stdlib), {shop, "1"}]}])),
        ok = systools:make_script("shop", [local, no_warn_sasl, {path, ["."]}]), halt().'
}
otp() {
    make || return 1
    "$STROBE" record -o o.sbt --trace all,calls --module shop -- ./shop.sh a -b 2>err.log
    same "exit code" 7 $? && same arguments '["a","-b"]' "$(cat arguments)" &&
        same "traces of probes" 2 "$(ls o.*.sbt | wc -l)" || return 1
    same customers 70 "$(lines o.sbt ' spawn .*mfa=shop:customer/1')" &&
        same calls 70 "$(lines o.sbt ' call mfa=shop:customer/1')" &&
        same errors 0 "$(grep -c -i 'error\|warning' err.log)"
}
check "an embedded OTP release, its boot, its arguments, its exit code" otp

# ---- of mix
if ! command -v mix > /dev/null; then echo "ok release: mix # SKIP no mix"; exit; fi
export HEX_OFFLINE=1 MIX_ENV=prod MIX_HOME=$dir/mix
project() {
    mix new store --sup > mix.log 2>&1 && cd store || return 1
    sed -i 's/# Starts a worker.*/Store.Till/; s/# {Store.Worker, arg}//' lib/store/application.ex
    cat > lib/store.ex <<'END'
defmodule Store.Till do
  use GenServer
  def start_link(_), do: GenServer.start_link(__MODULE__, [], name: __MODULE__)
  def init(_) do
    till = self()
    for n <- 1..30, do: spawn(fn -> send(till, {:paid, n}) end)
    for n <- 1..30, do: (receive do {:paid, ^n} -> :ok end)
    spawn(fn -> System.stop(5) end)
    {:ok, nil}
  end
end
END
    mix release > ../mix.log 2>&1 || { cat ../mix.log; return 1; }
}
mix_release() {
    project || return 1
    RELEASE_DISTRIBUTION=none "$STROBE" record -o ../m.sbt --trace all,calls --module Elixir.Store.Till \
        -- _build/prod/rel/store/bin/store start 2>../err.log
    local code=$?; cd ..
    same "exit code" 5 $code && [ "$(events m.sbt send)" -ge 30 ] &&
        same "the till opens" 1 "$(lines m.sbt "call mfa='Elixir.Store.Till':init/1")" &&
        same "by its name" 1 "$(lines m.sbt " register name='Elixir.Store.Till'")"
}
check "a mix release, from the start of its first application" mix_release
