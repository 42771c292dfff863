#!/usr/bin/env escript
%% Makes a release `shop' of kernel, stdlib and the modules that are given, stripped, in the current folder:
%% erl -mode embedded -boot shop
main(Names) ->
    Modules = [list_to_atom(N) || N <- Names],
    Vsn = fun(A) -> _ = application:load(A), {ok, V} = application:get_key(A, vsn), {A, V} end,
    write("shop.rel", {release, {"shop", "1"}, {erts, erlang:system_info(version)},
                       [Vsn(kernel), Vsn(stdlib), {subject, "1"}]}),
    write("subject.app", {application, subject,
                          [{description, "a subject"}, {vsn, "1"}, {modules, Modules}, {registered, []},
                           {applications, [kernel, stdlib]}]}),
    {ok, _} = beam_lib:strip_files([N ++ ".beam" || N <- Names]),
    ok = systools:make_script("shop", [local, no_warn_sasl, {path, ["."]}]).

write(File, Term) -> ok = file:write_file(File, io_lib:format("~p.~n", [Term])).
