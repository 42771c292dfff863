%% @doc Percept2's helpers that spread work over processes.
-module(strobe_parallel).

-export([pmap/2, pmap/3, pforeach/2]).

%% @doc As lists:map/2, with a process for each element.
-spec pmap(fun((A) -> B), [A]) -> [B].
pmap(Fun, List) -> pmap(Fun, List, 1).

%% @doc The same with a process for so many elements each. If one fails, the others are killed and the caller exits with
%% its reason.
-spec pmap(fun((A) -> B), [A], Elements :: pos_integer()) -> [B].
pmap(Fun, List, Size) when is_function(Fun, 1), is_integer(Size), Size > 0 ->
    lists:append(collect([erlang:spawn_monitor(fun() -> exit({?MODULE, lists:map(Fun, Part)}) end)
                          || Part <- parts(List, length(List), Size)])).

%% @doc As lists:foreach/2, with a process for each element; the order of the calls is unknown.
-spec pforeach(fun((A) -> term()), [A]) -> ok.
pforeach(Fun, List) ->
    _ = pmap(fun(Element) -> Fun(Element), ok end, List),
    ok.

parts([], 0, _) -> [];
parts(List, N, Size) when N =< Size -> [List];
parts(List, N, Size) ->
    {Part, Rest} = lists:split(Size, List),
    [Part | parts(Rest, N - Size, Size)].

collect([]) -> [];
collect([{Pid, Ref} | Others]) ->
    receive
        {'DOWN', Ref, process, Pid, {?MODULE, Values}} -> [Values | collect(Others)];
        {'DOWN', Ref, process, Pid, Why} ->
            _ = [begin demonitor(R, [flush]), exit(P, kill) end || {P, R} <- Others],
            exit(Why)
    end.
