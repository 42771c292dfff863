%% An application of OTP is analysed.
-module(program_xref).
-export([run/0]).

run() ->
    {ok, _} = xref:start(x),
    {ok, _} = xref:add_directory(x, filename:join(code:lib_dir(runtime_tools), "ebin"), [{warnings, false}]),
    {ok, _} = xref:analyze(x, locals_not_used),
    xref:stop(x).
