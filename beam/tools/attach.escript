#!/usr/bin/env escript
%% Makes one module of many for `strobe attach': attach.escript FOLDER NAME ROOT...
%%
%% Reads modules with debug information from FOLDER/ebin and writes FOLDER/attach/NAME.beam. It exports what the roots
%% export (MODULE), or one function (MODULE:FUNCTION/ARITY), and has all functions of modules of strobe that these call:
%%
%%     strobe_session:start(O)          start_session(O), a function of the same module
%%     fun strobe_flight:log/2          the same
%%     ?MODULE, as a value              NAME
%%
%% strobe_attach, which is in the node before, and modules with a library of their own are no parts: a module has one
%% library. NAME's is loaded by a call of load/1, not when the module is loaded, since only the caller knows its folder.
-mode(compile).
-define(APART, [strobe_attach, strobe_nif, strobe_drain_nif]).

main([Folder, Name0 | Roots0]) ->
    Name = list_to_atom(Name0),
    Roots = [root(R) || R <- Roots0],
    Modules = [list_to_atom(filename:basename(F, ".beam")) || F <- filelib:wildcard(Folder ++ "/ebin/strobe_*.beam")],
    Part = fun(M) -> lists:member(M, [Name | Modules -- ?APART]) end,
    Start = lists:usort(lists:append([exports(Folder, R) || R <- Roots])),
    Functions = reach(Start, #{}, {Folder, Part}),
    Exported = [{F, A} || {_, F, A} <- Start],
    Exported -- lists:usort(Exported) =:= [] orelse fail("two roots export functions of one name", []),
    [fail("~w/~w is a function of erlang", [F, A]) || {F, A} <- Exported, erl_internal:bif(F, A)],
    Names = names(maps:keys(Functions), Start),
    Forms = [{attribute, 1, file, {Name0 ++ ".erl", 1}}, {attribute, 1, module, Name}, {attribute, 1, export, Exported}
             | [renamed(F, MFA, Names, Name, Part) || {MFA, F} <- lists:sort(maps:to_list(Functions))]]
        ++ [{eof, 1}],
    {ok, Name, Beam} = compile:forms(Forms, [deterministic, no_line_info, report_errors]),
    ok = file:write_file(filename:join([Folder, "attach", Name0 ++ ".beam"]), Beam).

fail(Format, Arguments) -> io:format(standard_error, "attach.escript: " ++ Format ++ "~n", Arguments), halt(1).

root(Text) ->
    case string:lexemes(Text, ":/") of
        [M]       -> list_to_atom(M);
        [M, F, A] -> {list_to_atom(M), list_to_atom(F), list_to_integer(A)}
    end.

exports(_, {_, _, _} = MFA) -> [MFA];
exports(Folder, Module) ->
    [{Module, F, A} || {attribute, _, export, Fs} <- forms(Folder, Module), {F, A} <- Fs].

forms(Folder, Module) ->
    case get(Module) of
        undefined ->
            File = filename:join([Folder, "ebin", atom_to_list(Module) ++ ".beam"]),
            {ok, {_, [{abstract_code, {_, Forms}}]}} = beam_lib:chunks(File, [abstract_code]),
            put(Module, Forms),
            Forms;
        Forms -> Forms
    end.

%% ---- what is reached

reach([], Found, _) -> Found;
reach([MFA | Rest], Found, Where) when is_map_key(MFA, Found) -> reach(Rest, Found, Where);
reach([{M, F, A} = MFA | Rest], Found, {Folder, Part} = Where) ->
    Forms = forms(Folder, M),
    Own = maps:from_list([{{N, K}, []} || {function, _, N, K, _} <- Forms]),
    case [Form || {function, _, N, K, _} = Form <- Forms, N =:= F, K =:= A] of
        [Form] -> reach(called(Form, M, Own, Part) ++ Rest, Found#{MFA => Form}, Where);
        []     -> fail("there is no ~w:~w/~w", [M, F, A])
    end.

called(Form, M, Own, Part) ->
    {_, Called} = walk(fun(T, Acc) -> {T, case target(T, M, Part) of
                                              {M, F, A} = MFA when is_map_key({F, A}, Own) -> [MFA | Acc];
                                              {M, _, _}                                    -> Acc;
                                              none                                         -> Acc;
                                              MFA                                          -> [MFA | Acc]
                                          end} end, [], Form),
    Called.

%% The function that a call or a fun names, if it may be a part; local calls may be of functions of erlang.
target({call, _, {remote, _, {atom, _, M}, {atom, _, F}}, As}, _, Part) -> part({M, F, length(As)}, Part);
target({call, _, {atom, _, F}, As}, Here, _)                            -> {Here, F, length(As)};
target({'fun', _, {function, F, A}}, Here, _)                           -> {Here, F, A};
target({'fun', _, {function, {atom, _, M}, {atom, _, F}, {integer, _, A}}}, _, Part) -> part({M, F, A}, Part);
target(_, _, _)                                                         -> none.

part({M, _, _} = MFA, Part) -> case Part(M) of true -> MFA; false -> none end.

walk(Do, Acc0, Term0) ->
    {Term, Acc} = Do(Term0, Acc0),
    if
        is_tuple(Term) -> {List, New} = lists:mapfoldl(fun(T, A) -> walk(Do, A, T) end, Acc, tuple_to_list(Term)),
                          {list_to_tuple(List), New};
        is_list(Term), length(Term) > 0 -> lists:mapfoldl(fun(T, A) -> walk(Do, A, T) end, Acc, Term);
        true -> {Term, Acc}
    end.

%% ---- names

%% Exported functions keep their names, and so does the first of several with one name. The names of the others are
%% replaced by one that every VM has when they are sent (src/live/attach/beam_names.h).
names(Functions, Start) ->
    Ordered = Start ++ lists:sort(Functions -- Start),
    {Names, _} = lists:foldl(fun({M, F, A} = MFA, {Names, Taken}) ->
                                 New = case is_map_key({F, A}, Taken) orelse erl_internal:bif(F, A) of
                                           true  -> list_to_atom(lists:concat([M, ":", F]));
                                           false -> F
                                       end,
                                 {Names#{MFA => New}, Taken#{{New, A} => []}}
                             end, {#{}, #{}}, Ordered),
    Names.

renamed(Form, {Here, _, _} = MFA, Names, Name, Part) ->
    {{function, L, _, A, Clauses}, _} = walk(fun(T, Acc) -> {rename(T, Here, Names, Name, Part), Acc} end, [], Form),
    {function, L, map_get(MFA, Names), A, Clauses}.

rename({call, L, F, As} = Call, Here, Names, _, Part) ->
    case target(Call, Here, Part) of
        MFA when is_map_key(MFA, Names) -> {call, L, {done, L, map_get(MFA, Names)}, As};
        _ -> {call, L, F, As}
    end;
rename({'fun', L, _} = Fun, Here, Names, _, Part) ->
    case target(Fun, Here, Part) of
        {_, _, A} = MFA when is_map_key(MFA, Names) -> {'fun', L, {function, map_get(MFA, Names), A}};
        _ -> Fun
    end;
rename({done, L, F}, _, _, _, _) -> {atom, L, F};
rename({atom, L, M}, Here, _, Name, Part) ->
    M =:= Here orelse M =:= Name orelse not Part(M) orelse fail("~w is a value in ~w", [M, Here]),
    {atom, L, case Part(M) of true -> Name; false -> M end};
rename(Term, _, _, _, _) -> Term.
