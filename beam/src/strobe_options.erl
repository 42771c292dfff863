%% @doc Checks the options of a recording, strobe's own and Percept2's, and converts them to one form.
-module(strobe_options).

-export([read/1, own/1, announcement/2, caller/0]).

%% Percept2's options and the classes of events that they stand for.
-define(PERCEPT, #{procs_basic => [procs], procs => [procs, running], ports_basic => [ports], ports => [ports],
                   schedulers => [procs, running], running => [procs, running], message => [procs, messages],
                   migration => [procs, running], garbage_collection => [procs, gc],
                   exclusive => [procs, running], all => [all]}).

%% The default limit: a recording that nobody stops must not fill a disk.
-define(DEFAULT_LIMIT_BYTES, 1 bsl 30).

%% @doc Returns a map with each option at most once, in the form that strobe_session takes; throws if an option is
%% wrong.
-spec read([atom() | tuple()] | map()) -> map().
read(Options) when is_map(Options) -> read(maps:to_list(Options));
read(Options) when is_list(Options) ->
    Given = lists:foldl(fun add/2, #{}, [option(O) || O <- own(Options)]),
    Functions = lists:any(fun(K) -> maps:get(K, Given, []) =/= [] end, [modules, apps, functions]),
    Classes = maps:get(trace, Given, [all]),
    lists:member(calls, Classes) andalso not Functions andalso throw(calls_need_modules_apps_or_functions),
    _ = [throw({not_with_nodes, K}) || is_map_key(nodes, Given), K <- [processes, functions, filters],
                                       maps:get(K, Given, all) =/= all],
    maps:merge(#{limit_bytes => ?DEFAULT_LIMIT_BYTES}, Given#{trace => Classes ++ [calls || Functions]});
read(Options) ->
    throw({unknown_option, Options}).

%% Lists that are given twice are joined. Of two values neither is meant more than the other.
add({Key, Value}, Given) ->
    case Given of
        #{Key := Value} -> Given;
        #{Key := Before} when is_list(Before), is_list(Value), Key =/= filters ->
            Given#{Key := Before ++ (Value -- Before)};
        #{Key := _} -> throw({option_given_twice, Key});
        _           -> Given#{Key => Value}
    end.

option({trace, Given}) ->
    Classes = listed(Given),
    _ = [throw({unknown_class, C}) || C <- Classes, not lists:member(C, [all | strobe_session:classes()])],
    {trace, Classes};
option({processes, Who}) when Who =:= all; Who =:= new; Who =:= existing -> {processes, Who};
option({processes, descendants}) -> {processes, [self()]};
option({processes, Given})       -> {processes, lists:usort(lists:append([processes(P) || P <- listed(Given)]))};
option({modules, Given})         -> {modules, [name(M) || M <- listed(Given)]};
option({apps, Given})            -> {apps, [app(A) || A <- listed(Given)]};
option({functions, Given})       -> {functions, [function(F) || F <- listed(Given)]};
option({duration, Given})        -> {duration, milliseconds(Given)};
option({limit_bytes, infinity})  -> {limit_bytes, infinity};
option({budget, infinity})       -> {budget, infinity};
option({Flag, Value} = O) when Flag =:= reload; Flag =:= governor; Flag =:= force;
Flag =:= quiet -> is_boolean(Value) orelse throw({bad_option, O}), O;
option({nodes, Nodes})           -> {nodes, strobe_nodes:chosen(Nodes)};
option({filter, MatchSpec})      -> {filters, [{all, program(MatchSpec)}]};
option({drain, By} = O)          -> By =:= program orelse By =:= process orelse throw({bad_option, O}), O;
option({level, Level} = O)       ->
    is_integer(Level) andalso Level >= 0 andalso Level =< 19 orelse throw({bad_option, O}), O;
option({Number, N} = O) when Number =:= buffer; Number =:= budget; Number =:= limit_events; Number =:= limit_bytes ->
    is_integer(N) andalso N > 0 orelse throw({bad_option, O}),
    O;
option({Key, _}) -> throw({unknown_option, Key});
option(O)        -> throw({unknown_option, O}).

program(MatchSpec) ->
    case strobe_filter:compile(MatchSpec) of
        {ok, Program} -> Program;
        {error, Text} -> throw({bad_filter, Text})
    end.

%% Returns a list of the values. A text is a list, too, and counts as one value.
listed([C | _] = Text) when is_integer(C) -> [Text];
listed(List) when is_list(List)           -> List;
listed(One)                               -> [One].

processes(Pid) when is_pid(Pid) ->
    node(Pid) =:= node() andalso is_process_alive(Pid) orelse throw({no_such_process, Pid}),
    [Pid];
processes({app, App}) ->
    case [P || P <- erlang:processes(), application:get_application(P) =:= {ok, App}] of
        []   -> throw({no_process_of_app, App});
        Pids -> Pids
    end;
processes({M, F, A} = Entry) ->
    case [P || P <- erlang:processes(), strobe_snapshot:initial_call(P) =:= {M, F, A}] of
        []   -> throw({no_process_began_with, Entry});
        Pids -> Pids
    end;
processes("<" ++ _ = Text) ->
    try list_to_pid(Text) of Pid -> processes(Pid) catch error:badarg -> throw({no_such_process, Text}) end;
processes(Name) ->
    case whereis(name(Name)) of
        Pid when is_pid(Pid) -> [Pid];
        _                    -> throw({no_such_process, Name})
    end.

name(Name) when is_atom(Name)   -> Name;
name(Name) when is_binary(Name) -> name(unicode:characters_to_list(Name));
name([_ | _] = Name)            -> try list_to_atom(Name) catch error:_ -> throw({no_name, Name}) end;
name(Other)                     -> throw({no_name, Other}).

app({app, App}) -> app(App);
app(App)        -> strobe_names:app(name(App)).

%% {M, F, A}, {M, F}, fun M:F/A, "m:f/a", "m:f", "m", "M.f/a", "M.f", "M"
function({M, F, A}) when is_atom(M), is_atom(F), A =:= '_' orelse is_integer(A) -> {M, F, A};
function({M, F}) when is_atom(M), is_atom(F)                                    -> {M, F, '_'};
function(Fun) when is_function(Fun) ->
    case erlang:fun_info(Fun, type) of
        {type, external} -> list_to_tuple([V || K <- [module, name, arity], {_, V} <- [erlang:fun_info(Fun, K)]]);
        _                -> throw({no_function, Fun})
    end;
function(Text) when is_binary(Text) -> function(unicode:characters_to_list(Text));
function([C | _] = Text) when is_integer(C) ->
    case strobe_names:function(Text) of
        none     -> throw({no_function, Text});
        Function -> Function
    end;
function(Other) ->
    throw({no_function, Other}).

milliseconds(Ms) when is_integer(Ms), Ms > 0 -> Ms;
milliseconds(Text) ->
    try re:run(Text, "^([0-9]+)(ms|s|m|h)$", [{capture, all_but_first, list}]) of
        {match, [N, Unit]} ->
            list_to_integer(N) * map_get(Unit, #{"ms" => 1, "s" => 1000, "m" => 60000, "h" => 3600000});
        nomatch            -> throw({bad_option, {duration, Text}})
    catch
        error:badarg -> throw({bad_option, {duration, Text}})
    end.

%% @doc Returns the text for the beginning of a recording: the classes, the file, and what ends it.
-spec announcement(strobe:file(), map()) -> unicode:chardata().
announcement(File, #{trace := Classes0} = Given) ->
    Classes = strobe_session:recorded(Classes0),
    Called = [strobe_names:shown(X) || K <- [modules, apps, functions], X <- maps:get(K, Given, [])],
    Ends = [["after ", duration(Ms)] || #{duration := Ms} <- [Given]]
        ++ [io_lib:format("after ~b events", [N]) || #{limit_events := N} <- [Given]]
        ++ [["at ", size(N, ["bytes", "KiB", "MiB", "GiB"]), " of trace"] || #{limit_bytes := N} <- [Given],
            is_integer(N)],
    ["strobe: recording ", lists:join(", ", [atom_to_list(C) || C <- Classes]), who(maps:get(processes, Given, all)),
     [[" here, and on ", lists:join(", ", [atom_to_list(N) || N <- Nodes])] || #{nodes := [_ | _] = Nodes} <- [Given]],
     [[" (calls of ", lists:join(", ", lists:sublist(Called, 5)), [", ..." || length(Called) > 5], ")"]
      || Called =/= []],
     [" into ", file(File), "\n"],
     "strobe: it stops at ", stop_call(), [[", ", End] || End <- Ends], ", or when this ", keeper(), " ends\n"].

%% The call as the shell of the user takes it.
stop_call() ->
    case erlang:module_loaded('Elixir.IEx.Server') of
        true  -> ":strobe.stop_profile()";
        false -> "strobe:stop_profile()"
    end.

keeper() ->
    case caller() =:= self() of true -> "process"; false -> "shell" end.

%% @doc Returns the process that a recording ends with: the caller, or its shell. Erlang's shell evaluates in a process
%% that is linked to it, and that a mistake ends.
-spec caller() -> pid().
caller() ->
    {links, Links} = process_info(self(), links),
    case [P || P <- Links, is_pid(P), node(P) =:= node(),
               {current_function, {shell, _, _}} <- [process_info(P, current_function)]] of
        [Shell | _] -> Shell;
        []          -> self()
    end.

duration(Ms) when Ms rem 1000 =:= 0 -> io_lib:format("~b s", [Ms div 1000]);
duration(Ms)                        -> io_lib:format("~b ms", [Ms]).

size(N, [_ | [_ | _] = Larger]) when N >= 1024, N rem 1024 =:= 0 -> size(N div 1024, Larger);
size(N, [Unit | _])                                              -> io_lib:format("~b ~s", [N, Unit]).

file({Name, wrap, Suffix, _})    -> io_lib:format("~tsN~ts", [Name, Suffix]);
file({Name, wrap, Suffix, _, _}) -> io_lib:format("~tsN~ts", [Name, Suffix]);
file(File)                       -> io_lib:format("~ts", [File]).

who(all)      -> " of all processes";
who(new)      -> " of new processes";
who(existing) -> " of the processes there are";
who([Pid])    -> io_lib:format(" of ~w and what it starts", [Pid]);
who(Pids)     -> io_lib:format(" of ~b processes and what they start", [length(Pids)]).

%% @doc `[procs, message, {callgraph, [lists]}]' becomes `[{trace, [procs, messages]}, {modules, [lists]}]'.
-spec own([atom() | tuple()]) -> [tuple()].
own(Options) ->
    {Percept, Own} = lists:partition(fun is_percept/1, Options),
    merged(lists:append([classes(O) || O <- Percept]), lists:append([listed(O) || {callgraph, O} <- Percept]), Own).

is_percept({callgraph, _}) -> true;
is_percept(Option)         -> is_map_key(Option, ?PERCEPT).

classes({callgraph, _}) -> [procs];
classes(Option)         -> map_get(Option, ?PERCEPT).

merged([], [], Own) ->
    Own;
merged(Classes, Called, Own) ->
    [{trace, lists:usort(Classes)} || Classes =/= []]
        ++ [{modules, Modules} || Modules <- [[M || M <- Called, is_atom(M)]], Modules =/= []]
        ++ [{functions, MFAs} || MFAs <- [[F || F <- Called, is_tuple(F)]], MFAs =/= []]
        ++ Own.
