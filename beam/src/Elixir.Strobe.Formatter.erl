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

%% The state: the folder that places are relative to, asked for once, as each time would be a request.
init(_) ->
    {ok, Folder} = file:get_cwd(),
    {ok, unicode:characters_to_binary([Folder, $/])}.

handle_call(_, _, Folder) -> {reply, ok, Folder}.

handle_cast({test_started, Test}, Folder) -> mark(Test, place(Test, Folder)), {noreply, Folder};
handle_cast({test_finished, Test}, Folder) -> mark(Test, outcome(Test)), {noreply, Folder};
handle_cast(_, Folder) -> {noreply, Folder}.

mark(#{state := {excluded, _}}, _) -> ok;
mark(#{module := Module, name := Name}, More) ->
    strobe:mark(["test ", elixir(atom_to_binary(Module)), "-", title(atom_to_binary(Name)), More]).

%% The same name as that of a trace of Strobe.Case.
elixir(<<"Elixir.", Alias/binary>>) -> Alias;
elixir(Module)                       -> Module.

title(<<"test ", Title/binary>>) -> Title;
title(Name)                      -> Name.

place(#{tags := #{file := File, line := Line}}, Folder) ->
    [" at ", relative(File, Folder), ":", integer_to_list(Line)];
place(_, _) -> "".

relative(File, Folder) ->
    Size = byte_size(Folder),
    case File of
        <<Folder:Size/binary, Within/binary>> -> Within;
        _                                     -> File
    end.

outcome(#{state := nil})               -> " passed";
outcome(#{state := {Outcome, _}})      -> [" ", atom_to_binary(Outcome)].
