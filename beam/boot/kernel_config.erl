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

%% A release runs in embedded mode, in which a module is not loaded by its first call. These load the others that they
%% need (strobe_program:load/1); `strobe' is for programs that set marks.
early(Ours) ->
    Ebin = filename:join(filename:dirname(Ours), "ebin"),
    Modules = ["strobe_program", "strobe_boot", "strobe_session", "strobe", "strobe_spawn"],
    _ = [code:load_abs(filename:join(Ebin, M)) || code:get_mode() =:= embedded, M <- Modules],
    strobe_boot:early().
