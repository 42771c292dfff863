%% Which functions are traced: breakpoints in modules and applications, set as soon as the code is there.
%%
%% What is on the code path is loaded at once. While something is still awaited (with the option reload: always) the VM sets breakpoints in every module
%% that it loads, before anybody can call it, so that no call of a wanted module is missed. look/1 takes those of the
%% others off, and until then the tracer passes their calls over.
-module(strobe_calls).
-export([open/2, look/1]).

%% The state: what is wanted of each module, which applications are not known yet, which modules have been seen to.
open(Tracing, Options) ->
    Get = fun(Key) -> maps:get(Key, Options, []) end,
    case Get(modules) ++ Get(apps) ++ Get(functions) of
        [] -> none;
        _ ->
            _ = [application:load(App) || App <- Get(apps)],
            Functions = maps:from_list([{M, [F || {Of, _, _} = F <- Get(functions), Of =:= M]} || {M, _, _} <- Get(functions)]),
            Wanted = maps:merge(Functions, whole(Get(modules))),
            State = known(want(Wanted, #{tracing => Tracing, wanted => #{}, apps => Get(apps), on_load => false, seen => [],
                                              reload => maps:get(reload, Options, false)})),
            awaiting(State)
    end.

look(none) -> none;
look(#{on_load := false} = State) -> State;
look(State) -> awaiting(known(State)).

%% Breakpoints for modules to come are on before we look which are there.
awaiting(#{tracing := Tracing, wanted := Wanted, apps := Apps, seen := Seen, on_load := On, reload := Reload} = State) ->
    On orelse strobe_otp:pattern(Tracing, on_load, true, [local]),
    Loaded = lists:sort(erlang:loaded()),
    New = ordsets:subtract(Loaded, Seen),
    _ = [settle(M, State) || M <- New, On orelse is_map_key(M, Wanted)],
    case not Reload andalso Apps =:= [] andalso ordsets:is_subset(lists:sort(maps:keys(Wanted)), Loaded) of
        true ->
            _ = strobe_otp:pattern(Tracing, on_load, false, [local]),
            _ = [settle(M, State) || M <- ordsets:subtract(lists:sort(erlang:loaded()), Loaded)],
            State#{on_load := false};
        false -> State#{on_load := true, seen := Loaded}
    end.

%% Applications that have told their modules by now.
known(#{apps := Apps0} = State) ->
    {Known, Apps} = lists:partition(fun(App) -> application:get_key(App, modules) =/= undefined end, Apps0),
    Modules = lists:append([Modules || App <- Known, {ok, Modules} <- [application:get_key(App, modules)]]),
    want(whole(Modules), State#{apps := Apps}).

whole(Modules) -> maps:from_list([{M, [{M, '_', '_'}]} || M <- Modules]).

want(More, State) when More =:= #{} -> State;
want(More, #{wanted := Wanted, seen := Seen} = State) ->
    _ = strobe_nif:only(maps:keys(More)),
    _ = [code:ensure_loaded(M) || M <- maps:keys(More)],
    State#{wanted := maps:merge(Wanted, More), seen := Seen -- maps:keys(More)}.

%% The breakpoints of a module that is there: those that are wanted and no others.
settle(M, #{tracing := Tracing, wanted := Wanted}) ->
    Functions = maps:get(M, Wanted, []),
    Functions =:= [{M, '_', '_'}] orelse strobe_otp:pattern(Tracing, {M, '_', '_'}, false, [local]),
    [strobe_otp:pattern(Tracing, F, true, [local]) || F <- Functions].
