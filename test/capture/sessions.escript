#!/usr/bin/env escript
%%! +S 2
%% Beside another tracer with a session of its own (OTP 27 on): collections are not traced twice, which would crash the
%% VM (erlang/otp #11624); all else is recorded, and the other keeps what it has.
-mode(compile).

main(_) ->
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    Strobe = os:getenv("STROBE", filename:join(Root, "build/strobe")),
    code:add_patha(filename:join(filename:dirname(Strobe), "erlang/strobe/ebin")),
    _ = code:ensure_loaded(trace),
    case erlang:function_exported(trace, session_create, 3) of
        true -> beside(Strobe);
        false -> io:format("ok sessions # SKIP this release has none~n")
    end,
    halt().

beside(Strobe) ->
    Dir = string:trim(os:cmd("mktemp -d")),
    ok = file:set_cwd(Dir),
    Alone = kinds(Strobe),
    Other = trace:session_create(other, spawn(fun Forget() -> receive _ -> Forget() end end), []),
    trace:process(Other, new_processes, true, [garbage_collection]),
    Beside = kinds(Strobe),
    {flags, Flags} = trace:info(Other, new_processes, flags),
    trace:session_destroy(Other),
    file:set_cwd("/"),
    os:cmd("rm -rf " ++ Dir),
    io:format("~s sessions: collections are recorded where nobody else traces them~n",
              [verdict(has(Alone, "gc_major_start"))]),
    io:format("~s sessions: and are left to another tracer~n",
              [verdict(not has(Beside, "gc_major_start") andalso has(Beside, "spawned"))]),
    io:format("~s sessions: which keeps its flags~n", [verdict(Flags =:= [garbage_collection])]).

kinds(Strobe) ->
    {ok, _, _} = strobe:profile("s.sbt", fun work/0, [{trace, [procs, gc]}]),
    os:cmd(Strobe ++ " info s.sbt").

work() ->
    [begin {P, R} = spawn_monitor(fun() -> erlang:garbage_collect() end),
         receive {'DOWN', R, process, P, _} -> ok end end
     || _ <- lists:seq(1, 200)].

has(Info, Kind) -> string:find(Info, Kind) =/= nomatch.
verdict(true) -> "ok";
verdict(false) -> "not ok".
