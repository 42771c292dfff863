%% Three modules are compiled, loaded and called, side by side.
-module(program_compile).
-export([run/0]).

run() ->
    Compilers = [spawn_monitor(fun() -> compile_module(I) end) || I <- lists:seq(1, 3)],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Compilers].

compile_module(I) ->
    Function = "f~b(X) -> case X of {a, Y} when Y > ~b -> f~b(Y); [H | T] -> [f~b(H) | T]; _ -> X * ~b end.\n",
    Text = [io_lib:format("-module(m~b).\n-export([f0/1]).\n", [I]) |
            [io_lib:format(Function, [J, J, J * 7 rem 6, J * 5 rem 6, J]) || J <- lists:seq(0, 5)]],
    {ok, Tokens, _} = erl_scan:string(lists:flatten(Text)),
    {ok, M, Binary} = compile:forms(forms(Tokens), [binary]),
    {module, M} = code:load_binary(M, "m", Binary),
    M:f0(I).

forms([]) -> [];
forms(Tokens) ->
    {Form, [Dot | Rest]} = lists:splitwith(fun(T) -> element(1, T) =/= dot end, Tokens),
    {ok, Parsed} = erl_parse:parse_form(Form ++ [Dot]),
    [Parsed | forms(Rest)].
