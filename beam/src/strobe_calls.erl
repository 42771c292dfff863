%% Chooses the functions whose calls are traced, and sets breakpoints in modules and applications as soon as these are
%% loaded.
%%
%% Modules on the code path are loaded at once. While a name is still missing (with the option reload: always) the VM
%% sets breakpoints in every module that it loads, before that module can be called, so no call of a wanted module is
%% missed. look/1 removes the breakpoints of other modules. Until then the tracer rejects their calls: it records only
%% functions that strobe_nif:only/1 has added.
-module(strobe_calls).
-export([open/2, look/1, asked/1, functions/1, missing/2]).

%% The state: the names asked for, the functions wanted of each module, the applications that are not known yet, the
%% modules of those that are, the modules already handled, and the missing names, each with the nearest existing name.
open(Tracing, Options) ->
    Get = fun(Key) -> maps:get(Key, Options, []) end,
    _ = [application:load(App) || App <- Get(apps)],
    true = strobe_nif:only([]),
    Wanted = lists:foldl(fun({M, _, _} = F, Acc) -> maps:update_with(M, fun(Fs) -> [F | Fs] end, [F], Acc) end, #{},
                         functions(Options)),
    awaiting(known(want(Wanted, #{tracing => Tracing, asked => asked(Options), wanted => #{}, apps => Get(apps),
                                  members => [],
                                  on_load => false, seen => [], reload => maps:get(reload, Options, false),
                                  fits => true,
                                  missing => [], missing_file => maps:get(missing, Options, none)}))).

look(#{on_load := false} = State) -> State;
look(State) -> awaiting(known(State)).

%% Returns a line for each name that does not exist, so far or at the end.
missing(When, #{missing := Missing, fits := Fits}) ->
    strobe_names:missing(When, Missing)
        ++ ["more functions were asked for than can be chosen: the calls of some are not recorded" || not Fits].

asked(Options) ->
    Get = fun(Key) -> maps:get(Key, Options, []) end,
    [{app, A} || A <- Get(apps)] ++ [{module, M} || M <- Get(modules)] ++ [{function, F} || F <- Get(functions)].

%% Returns the functions asked for by name. A name may stand for several modules; those that exist are traced.
functions(Options) ->
    [{M, '_', '_'} || Name <- maps:get(modules, Options, []), M <- strobe_names:modules(Name)]
        ++ [{M, F, A} || {Name, F, A} <- maps:get(functions, Options, []), M <- strobe_names:modules(Name)].

%% Sets the breakpoints of future modules before it lists the loaded ones.
awaiting(#{tracing := Tracing, wanted := Wanted, seen := Seen, on_load := On} = State) ->
    On orelse strobe_otp:pattern(Tracing, on_load, true, [local]),
    Loaded = lists:sort(erlang:loaded()),
    New = ordsets:subtract(Loaded, Seen),
    Noted = look_for_missing(New, State),
    _ = [settle(M, State) || M <- New, On orelse is_map_key(M, Wanted)],
    case is_complete(Noted) of
        true ->
            _ = strobe_otp:pattern(Tracing, on_load, false, [local]),
            _ = [settle(M, Noted) || M <- ordsets:subtract(lists:sort(erlang:loaded()), Loaded)],
            Noted#{on_load := false};
        false -> Noted#{on_load := true, seen := Loaded}
    end.

%% A function that its loaded module does not have is missing, but will not appear later.
is_complete(#{reload := Reload, missing := Missing, members := Members}) ->
    not Reload andalso [] =:= [A || {A, _} <- Missing, not is_loaded(A)]
        andalso lists:all(fun erlang:module_loaded/1, Members).

is_loaded({function, {Name, _, _}}) -> strobe_names:is_there({module, Name});
is_loaded(_)                        -> false.

%% Adds the modules of applications that are known by now. Before their first call is recorded, the applications leave
%% the file of missing names: the VM may halt right after that call.
known(#{apps := Apps0} = State) ->
    {Known, Apps} = lists:partition(fun(App) -> strobe_names:is_there({app, App}) end, Apps0),
    Modules = lists:append([Modules || App <- Known, {ok, Modules} <- [application:get_key(App, modules)]]),
    want(maps:from_list([{M, [{M, '_', '_'}]} || M <- Modules]),
         no_longer_missing(Known, State#{apps := Apps, members := Modules ++ maps:get(members, State)})).

no_longer_missing(Apps, #{missing := Before} = State) ->
    write_missing(Before, State#{missing := [M || {Asked, _} = M <- Before,
                                                  not lists:member(Asked, [{app, App} || App <- Apps])]}).

want(More, State) when More =:= #{} -> State;
want(More, #{wanted := Wanted, seen := Seen, fits := Fits} = State) ->
    Fit = strobe_nif:only(lists:append(maps:values(More))),
    _ = [code:ensure_loaded(M) || M <- maps:keys(More)],
    All = maps:merge_with(fun(_, Before, Now) -> Now ++ Before end, Wanted, More),
    State#{wanted := All, seen := Seen -- maps:keys(More), fits := Fits andalso Fit}.

%% Sets the breakpoints of a loaded module: those that are wanted and no others.
settle(M, #{tracing := Tracing, wanted := Wanted}) ->
    Functions = maps:get(M, Wanted, []),
    Whole = lists:member({M, '_', '_'}, Functions),
    Whole orelse strobe_otp:pattern(Tracing, {M, '_', '_'}, false, [local]),
    [strobe_otp:pattern(Tracing, F, true, [local])
     || F <- case Whole of true -> [{M, '_', '_'}]; false -> Functions end].

%% ---- names that were asked for and do not exist

look_for_missing(New, #{asked := Asked, missing := Before} = State) ->
    Nearest = fun(A, first)                -> strobe_names:nearest(A, erlang:loaded(), none);
                 (_, Best) when New =:= [] -> Best;
                 (A, Best)                 -> strobe_names:nearest(A, New, Best)
              end,
    Missing = [{A, Nearest(A, proplists:get_value(A, Before, first))} || A <- Asked, not strobe_names:is_there(A)],
    write_missing(Before, State#{missing := Missing}).

%% The file always holds the missing names, since a VM that has halted or was killed cannot be asked.
write_missing(Before, #{missing_file := Path, missing := Now} = State) when Path =/= none, Now =/= Before ->
    _ = case missing(at_end, State) of
            []    -> file:delete(Path);
            Lines -> file:write_file(Path, unicode:characters_to_binary([[Line, $\n] || Line <- Lines]))
        end,
    State;
write_missing(_, State) ->
    State.
