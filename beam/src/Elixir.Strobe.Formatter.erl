%% An ExUnit formatter that marks the beginning and the end of each test in the trace, if there is one. `strobe record'
%% adds it to those of `mix test' (strobe_tests), unless the command names some:
%%
%%     strobe record -- mix test --formatter Strobe.Formatter --formatter JUnitFormatter
%%
%% It is written in Erlang, so that `strobe record' has it where the project does not depend on strobe. ExUnit sends
%% formatters its events as casts; a mark is as late as this process is. `strobe report tests' takes names, files, lines
%% and outcomes from these marks.
-module('Elixir.Strobe.Formatter').
-behaviour(gen_server).

-export([init/1, handle_call/3, handle_cast/2]).

init(_) -> {ok, nothing}.

handle_call(_, _, State) -> {reply, ok, State}.

handle_cast({test_started, Test}, State) -> mark(Test, place(Test)), {noreply, State};
handle_cast({test_finished, Test}, State) -> mark(Test, outcome(Test)), {noreply, State};
handle_cast(_, State) -> {noreply, State}.

mark(#{state := {excluded, _}}, _) -> ok;
mark(#{module := Module, name := Name}, More) ->
    strobe:mark(["test ", elixir(atom_to_binary(Module)), "-", title(atom_to_binary(Name)), More]).

%% The same name as that of a trace of Strobe.Case.
elixir(<<"Elixir.", Alias/binary>>) -> Alias;
elixir(Module)                       -> Module.

title(<<"test ", Title/binary>>) -> Title;
title(Name)                      -> Name.

place(#{tags := #{file := File, line := Line}}) -> [" at ", relative(File), ":", integer_to_list(Line)];
place(_)                                        -> "".

relative(File) ->
    {ok, Cwd} = file:get_cwd(),
    Dir = unicode:characters_to_binary([Cwd, $/]),
    Size = byte_size(Dir),
    case File of
        <<Dir:Size/binary, Within/binary>> -> Within;
        _                                  -> File
    end.

outcome(#{state := nil})               -> " passed";
outcome(#{state := {Outcome, _}})      -> [" ", atom_to_binary(Outcome)].
