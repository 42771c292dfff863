%% Processes whose rates are known from how they are made, for a reading of `strobe top`:
%%   asker     sends three messages to `answerer' for each one that comes back
%%   member    seven processes with the same entry, which wake up again and again
%%   hoarder   has 1234 messages in its mailbox, and fetches others
%%   spinner   uses a core, and makes garbage
%%   sleeper   has 4321 messages in its mailbox, and does nothing
%%   an Elixir process, without a name
-module(rates).
-export([start/0, calm/0, member/0]).

start() ->
    calm(),
    named(spinner, fun spin/0).

%% All but the spinner.
calm() ->
    named(answerer, fun answer/0),
    named(asker, fun ask/0),
    [spawn(?MODULE, member, []) || _ <- lists:seq(1, 7)],
    Hoarder = named(hoarder, fun() -> hoard(lists:seq(1, 1000)) end),
    [Hoarder ! kept || _ <- lists:seq(1, 1234)],
    spawn(fun() -> remind(Hoarder) end),
    Sleeper = named(sleeper, fun() -> receive never -> ok end end),
    [Sleeper ! kept || _ <- lists:seq(1, 4321)],
    spawn('Elixir.Shop.Cart', loop, []).

named(Name, Fun) ->
    Pid = spawn(Fun),
    register(Name, Pid),
    Pid.

answer() -> receive {From, 3} -> From ! done; {_, _} -> ok end, answer().

ask() ->
    [answerer ! {self(), N} || N <- [1, 2, 3]],
    receive done -> ok end,
    receive after 2 -> ok end,
    ask().

member() -> receive after 5 -> ok end, member().

remind(Hoarder) -> Hoarder ! fetched, receive after 5 -> ok end, remind(Hoarder).

hoard(Ballast) -> receive fetched -> ok end, hoard(tl(Ballast) ++ [1]).

spin() -> lists:seq(1, 1000), spin().
