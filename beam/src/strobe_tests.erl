%% Names tests by marks, under `strobe record' and `rebar3 strobe', without a change to the project: ExUnit gets a
%% further formatter, EUnit a listener, and Common Test a handler of its events. A test's own options come first: where
%% they name formatters, as `mix test --formatter' does, tests have no marks. Marks are as late as the processes that
%% set them, which are not those of the tests.
-module(strobe_tests).
-behaviour(gen_event).

-export([of_command/0, modules/1, open/1, go/1]).
-export([start/1]).
-export([init/1, handle_event/2, handle_call/2]).

-define(FORMATTER, 'Elixir.Strobe.Formatter').
-define(LOOKS_MS, 20). % the first case starts later than that after the manager of Common Test's events

%% The frameworks that the command of this VM may use: those that it names, and those of its build tool, whose aliases
%% run tests too.
-spec of_command() -> [exunit | eunit | ct].
of_command() ->
    Words = words(),
    Names = fun(Some) -> lists:any(fun(Word) -> lists:member(Word, Words) end, Some) end,
    Is = fun(Script) -> lists:any(fun(Word) -> filename:basename(Word) =:= Script end, Words) end,
    Rebar = Is(<<"rebar3">>) andalso not Names([<<"shell">>]),
    [exunit || Is(<<"mix">>) orelse lists:any(fun(W) -> filename:extension(W) =:= <<".exs">> end, Words),
               strobe_program:has(?FORMATTER)]
        ++ [eunit || Rebar orelse Names([<<"eunit">>])]
        ++ [ct || Rebar orelse Names([<<"ct_run">>, <<"ct">>])].

%% Not by the module string, whose first call loads the large tables of Unicode. `init' does not tell of -s and -eval.
words() ->
    case file:read_file("/proc/self/cmdline") of
        {ok, Line} -> binary:split(Line, [<<C>> || C <- [0 | " ,:()[]'\""]], [global, trim_all]);
        {error, _} -> []
    end.

%% What has to be loaded before the recording: mix (Elixir 1.15 and later) takes strobe's folder out of the code path.
-spec modules([exunit | eunit | ct]) -> [module()].
modules([])         -> [];
modules(Frameworks) -> [strobe | [?FORMATTER || lists:member(exunit, Frameworks)]].

%% Returns processes that the trace should not contain: they wait for go/1, since one that is hidden while it runs would
%% seem to run for ever.
-spec open([exunit | eunit | ct]) -> [pid()].
open(Frameworks) -> lists:append([open_one(F) || F <- Frameworks]).

open_one(exunit) ->
    ok = application:set_env(ex_unit, formatters, ['Elixir.ExUnit.CLIFormatter', ?FORMATTER], [{persistent, true}]),
    [];
open_one(eunit) ->
    os:getenv("EUNIT") =:= false andalso os:putenv("EUNIT", "{report,{" ?MODULE_STRING ",[]}}"),
    [];
open_one(ct) ->
    [spawn(fun() -> receive go -> watch() end end)].

-spec go([pid()]) -> ok.
go(Pids) -> lists:foreach(fun(Pid) -> Pid ! go end, Pids).

%% Common Test has no option that would come from outside.
watch() ->
    case whereis(ct_event) of
        undefined ->
            receive after ?LOOKS_MS -> watch() end;
        Manager ->
            Ref = erlang:monitor(process, Manager),
            _ = gen_event:add_handler(Manager, ?MODULE, []),
            receive {'DOWN', Ref, process, Manager, _} -> watch() end
    end.

%% ---- a listener of EUnit

start(_) -> spawn(fun listen/0).

listen() ->
    receive
        {start, Ref} -> listen(Ref);
        {stop, _, _} -> ok
    end.

%% It gets `begin' and `end' of each item, and may not keep EUnit waiting for its end.
listen(Ref) ->
    receive
        {status, _, {progress, 'begin', {test, Data}}} -> mark(Data, ""), listen(Ref, Data);
        {stop, Ref, _} -> ok;
        _ -> listen(Ref)
    end.

listen(Ref, Data) ->
    receive
        {status, _, {progress, 'end', {Result, _}}} -> mark(Data, [" ", result(Result)]), listen(Ref);
        {status, _, {cancel, _}} -> mark(Data, " failed"), listen(Ref);
        {stop, Ref, _} -> ok
    end.

result(ok)           -> "passed";
result({skipped, _}) -> "skipped";
result(_)            -> "failed".

mark(Data, More) ->
    {Module, Function, _} = proplists:get_value(source, Data),
    strobe:mark(["test ", atom_to_binary(Module), "-", title(Function, proplists:get_value(desc, Data)), More]).

%% '-all_test_/0-fun-0-' is a fun of all_test_/0.
title(Function, Description) ->
    Name = case atom_to_binary(Function) of
               <<"-", Rest/binary>> -> hd(binary:split(Rest, <<"/">>));
               Plain                -> Plain
           end,
    case Description of
        undefined -> Name;
        _         -> [Name, " ", Description]
    end.

%% ---- a handler of the events of Common Test: records {event, Name, Node, Data}

init(_) -> {ok, none}.

handle_event({event, tc_start, Node, {Suite, Case}}, none) when Node =:= node() ->
    mark_case(Suite, Case, ""), {ok, none};
handle_event({event, tc_done, Node, {Suite, Case, Result}}, none) when Node =:= node() ->
    mark_case(Suite, Case, [" ", outcome(Result)]), {ok, none};
handle_event(_, none) ->
    {ok, none}.

handle_call(_, none) -> {ok, ok, none}.

mark_case(Suite, Case, More) -> strobe:mark(["test ", atom_to_binary(Suite), "-", case_name(Case), More]).

case_name({Function, Group, _})    -> io_lib:format("~tw ~tw", [Function, Group]); % as init_per_group
case_name({Case, _Group})          -> atom_to_binary(Case);
case_name(Case) when is_atom(Case) -> atom_to_binary(Case).

outcome(ok)            -> "passed";
outcome({skipped, _})  -> "skipped";
outcome(_)             -> "failed".
