%% Stands before OTP's module of this name on the code path of a node that `strobe record` starts, and gives way to it:
%% of what a node starts with, this is the first that is looked up by name once code and files can be had, in releases
%% too, and it is asked for one thing. The capture begins here, before any application but the kernel.
-module(kernel_config).
-export([start_link/0]).

start_link() ->
    Ours = filename:dirname(code:which(?MODULE)),
    try early(Ours) catch _:_ -> ok end,
    _ = code:del_path(Ours),
    _ = code:unstick_mod(?MODULE),
    Loaded = code:load_file(?MODULE),
    _ = code:stick_mod(?MODULE),
    case Loaded of
        {module, ?MODULE} -> ?MODULE:start_link();
        _ -> ignore
    end.

%% A release runs embedded: there no module is loaded but by name. The tracer asks for where its library lies.
early(Ours) ->
    Ebin = filename:join(filename:dirname(Ours), "ebin"),
    {ok, Files} = file:list_dir(Ebin),
    Modules = [M || "strobe" ++ _ = File <- lists:sort(Files), ".beam" <- [filename:extension(File)],
                    M <- [filename:rootname(File)], M =/= "strobe_drain_nif", M =/= "strobe_program"],
    _ = [code:load_abs(filename:join(Ebin, M)) || code:get_mode() =:= embedded, M <- ["strobe_program" | Modules]],
    strobe_boot:early().
