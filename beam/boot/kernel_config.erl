%% On the code path of a node that `strobe record` starts, this module precedes OTP's module of the same name, which it
%% loads and calls at its end. It is the first module that a node looks up by name once code and files are available, in
%% releases too. The recording begins here, before any application except the kernel starts.
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

%% The modules come from this folder, whatever else is on the code path, and at once, since each search of the path
%% costs time. A release runs in embedded mode and finds none by name. `strobe' and strobe_spawn are for programs that
%% set marks.
early(Ours) ->
    Ebin = filename:join(filename:dirname(Ours), "ebin"),
    {module, _} = code:load_abs(filename:join(Ebin, "strobe_program")),
    strobe_program:load_at_once([strobe_boot, strobe_session, strobe, strobe_spawn]),
    strobe_boot:early().
