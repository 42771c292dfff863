%% @doc Counters while a function runs in the present node: calls, own time, words allocated, by function and process.
%% This is what `strobe count', `time' and `memory' do for a command; nothing is recorded.
-module(strobe_counting).
-export([run/3]).
-export_type([option/0, row/0]).

-type option() :: {modules, [module() | string()]} | {processes, all | [pid()]}.
%% Counters of calls alone have no process: they are those of the whole node.
-type row()    :: #{function := mfa(), calls := pos_integer(), process => pid(), own_us => non_neg_integer(),
                    words => non_neg_integer()}.

-define(OURS, "strobe_").
-define(FLAGS, [call, set_on_spawn]).

%% @doc Returns the rows, the largest last. An exception of the function is raised again, and no counter stays.
-spec run(strobe_otp:kind(), fun(() -> Value), [option()]) -> {ok, Value, [row()]} | {error, term()}.
run(Kind, Fun, Options) ->
    Names = proplists:get_value(modules, Options, []),
    Plan = #{kind => Kind, modules => [M || Name <- Names, M <- strobe_names:modules(Name)],
             processes => proplists:get_value(processes, Options, [self()]), caller => self()},
    case {lists:member(Kind, strobe_otp:kinds()), strobe_otp:others()} of
        {false, _}                                -> {error, needs_otp_26};
        {true, {tracer, _} = Other} when Kind =/= call_count -> {error, {others_trace, Other}};
        {true, _} ->
            Result = run(Fun, spawn_monitor(fun() -> keep(Plan) end)),
            strobe_names:print_notes(strobe_names:missing_now([{module, Name} || Name <- Names])),
            Result
    end.

run(Fun, {Keeper, Monitor}) ->
    receive
        {Keeper, counting} ->
            Value = try Fun()
                    catch Class:Reason:Stack -> _ = rows(Keeper, Monitor), erlang:raise(Class, Reason, Stack)
                    end,
            case rows(Keeper, Monitor) of
                {rows, Rows} -> {ok, Value, Rows};
                Died         -> {error, Died}
            end;
        {'DOWN', Monitor, process, Keeper, Reason} ->
            {error, Reason}
    end.

rows(Keeper, Monitor) ->
    Keeper ! rows,
    receive {'DOWN', Monitor, process, Keeper, Reason} -> Reason end.

%% A process of its own owns the session, since a process cannot trace itself.
keep(#{kind := Kind, caller := Caller} = Plan) ->
    Session = strobe_otp:open(?MODULE),
    Monitor = erlang:monitor(process, Caller),
    try
        _ = [strobe_otp:processes(Session, P, true, ?FLAGS) || Kind =/= call_count, P <- processes(Plan)],
        _ = [strobe_otp:pattern(Session, P, true, [Kind]) || P <- patterns(Plan)],
        Caller ! {self(), counting},
        receive
            rows ->
                _ = [strobe_otp:pattern(Session, P, pause, [Kind]) || P <- patterns(Plan), P =/= on_load],
                exit({rows, read(Session, Plan)});
            {'DOWN', Monitor, process, Caller, _} ->
                ok
        end
    after
        _ = [strobe_otp:pattern(Session, P, false, [Kind]) || P <- patterns(Plan)],
        _ = [strobe_otp:processes(Session, processes, false, ?FLAGS) || Kind =/= call_count],
        strobe_otp:shut(Session)
    end.

processes(#{processes := all})  -> [processes];
processes(#{processes := Pids}) -> Pids.

patterns(#{modules := []})      -> [on_load, {'_', '_', '_'}];
patterns(#{modules := Modules}) -> [{M, '_', '_'} || M <- Modules, code:ensure_loaded(M) =:= {module, M}].

read(Session, #{kind := Kind, modules := Wanted}) ->
    Found = [{Value, MFA, Row} || M <- erlang:loaded(), wanted(M, Wanted), {F, A} <- functions(M),
             MFA <- [{M, F, A}],
                                  {Value, Row} <- shown(strobe_otp:read(Session, MFA, Kind))],
    [Row#{function => MFA} || {_, MFA, Row} <- lists:sort(Found)].

%% A compiler deletes its temporary modules meanwhile.
functions(M) -> try M:module_info(functions) catch error:undef -> [] end.

wanted(M, [])     -> not lists:prefix(?OURS, atom_to_list(M));
wanted(M, Wanted) -> lists:member(M, Wanted).

shown(Calls) when is_integer(Calls), Calls > 0 -> [{Calls, #{calls => Calls}}];
shown(Counted) when is_list(Counted)           -> [of_process(C) || C <- Counted, element(2, C) > 0];
shown(_)                                       -> [].

of_process({Pid, Calls, Seconds, Us}) ->
    Own = Seconds * 1000000 + Us,
    {Own, #{process => Pid, calls => Calls, own_us => Own}};
of_process({Pid, Calls, Words}) ->
    {Words, #{process => Pid, calls => Calls, words => Words}}.
