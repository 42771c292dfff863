%% Begins a recording under `strobe record`, before the program starts; it prints nothing and does not change the
%% program, but that its tests are named (strobe_tests). The folder that STROBE_RECORD names holds the options, one
%% `key=value` in each line. The rings are created there, named after the number of this operating system process.
%%
%% The recording begins while the kernel starts (beam/boot), so that the trace contains the boot of a release. Where
%% that does not work, it begins after the boot: the VM's flags call start/0.
-module(strobe_boot).
-export([start/0, early/0, is_begun/0]).

-define(BEGUN, {?MODULE, begun}).

start() -> is_begun() orelse begin_(#{}).

%% Whether this node was started by `strobe record'.
is_begun() -> persistent_term:get(?BEGUN, false).

%% Runs in a process of its own, since the caller is the kernel's supervisor.
early() ->
    {Pid, Ref} = spawn_monitor(fun() -> group_leader(whereis(init), self()), begin_(#{alone => true}) end),
    receive {'DOWN', Ref, process, Pid, _} -> ok end.

begin_(Known) ->
    case os:getenv("STROBE_RECORD") of
        false -> ok;
        Dir ->
            persistent_term:put(?BEGUN, true),
            try begin_capture(Dir, Known)
            catch Class:Reason -> failed(Dir, {Class, Reason})
            end
    end.

begin_capture(Dir, Known) ->
    case file:read_file(filename:join(Dir, "options")) of
        {ok, <<>>}   -> ok; % the recording is over
        {ok, Text}   -> begin_capture(Dir, Text, Known);
        {error, Why} -> throw(Why)
    end.

%% rebar3 unloads the modules of a project's dependencies between its steps: strobe's too, where a project has it.
begin_capture(Dir, Text, Known) ->
    _ = script(init:get_plain_arguments()) =:= "rebar3" andalso strobe_program:stay(),
    Ours = Known#{rings => filename:join(Dir, os:getpid() ++ ".rings"),
                  missing => filename:join(Dir, os:getpid() ++ ".missing")},
    Options = lists:foldl(fun option/2, Ours, parts(Text, <<"\n">>)),
    strobe_program:load_at_once([strobe_tests | strobe_session:modules(Options)]),
    Tests = strobe_tests:of_command(),
    _ = Tests =:= [] orelse strobe_program:load_at_once(strobe_tests:modules(Tests)),
    Watching = strobe_tests:open(Tests),
    Apart = Options#{apart => Watching},
    _ = case maps:take(delay, Apart) of
            {Ms, Now} -> spawn(fun() -> receive after Ms -> start(Dir, maps:remove(alone, Now)) end end);
            error     -> start(Dir, Apart)
        end,
    strobe_tests:go(Watching).

start(Dir, Options) ->
    case strobe_session:start(Options) of
        {ok, _} -> ok;
        {error, Reason} -> failed(Dir, Reason)
    end.

script([Script | _]) -> filename:basename(Script);
script([])           -> none.

option(Line, Options) ->
    [Key, Value] = binary:split(Line, <<"=">>),
    option(Key, Value, Options).

option(<<"trace">>, Value, O) -> O#{trace => atoms(Value)};
option(<<"modules">>, Value, O) -> O#{modules => atoms(Value)};
option(<<"apps">>, Value, O) ->
    strobe_program:load([strobe_names]), O#{apps => [strobe_names:app(A) || A <- parts(Value, <<",">>)]};
option(<<"delay">>, Value, O) -> O#{delay => binary_to_integer(Value)};
option(<<"duration">>, Value, O) -> O#{duration => binary_to_integer(Value)};
option(<<"code">>, Value, O) -> O#{code => binary_to_integer(Value)};
option(<<"flight">>, _, O) -> O#{flight => true};
option(<<"log">>, Value, O) -> O#{log => binary_to_atom(Value, utf8)};
option(<<"command">>, Value, O) -> O#{command => Value};
option(<<"bytes">>, Value, O) -> O#{bytes => binary_to_integer(Value)};
option(_, _, O) -> O.

atoms(Text) -> [binary_to_atom(A, utf8) || A <- parts(Text, <<",">>)].

%% Does not use the module string, whose first call loads the large tables of Unicode.
parts(Text, Separator) -> binary:split(Text, Separator, [global, trim_all]).

%% `strobe record' prints what this file says. A VM of another user cannot create it, and prints the reason itself.
failed(Dir, Reason) ->
    Text = unicode:characters_to_binary([in_words(Reason, Dir), $\n]),
    case file:write_file(filename:join(Dir, os:getpid() ++ ".failed"), Text) of
        ok -> ok;
        {error, Why} when Why =/= eacces -> say(["strobe: this VM runs unrecorded: ", Text]);
        {error, Why} ->
            say(["strobe: this VM runs unrecorded, as another user than strobe record: no access to ", Dir, " (",
                 atom_to_list(Why), "); run strobe record as this user, or as root\n"])
    end.

in_words({_, enospc}, Dir) ->
    ["no room for the buffers in ", filename:dirname(Dir), ": make room there, or use a smaller --buffer"];
in_words({already_traced_by, Who}, _) ->
    io_lib:format("~0tp traces it already, and before OTP 27 a process has one tracer", [Who]);
in_words(Reason, _) ->
    io_lib:format("~0tp", [Reason]).

%% The process standard_error does not exist yet.
say(Text) ->
    Port = open_port({fd, 2, 2}, [out]),
    port_command(Port, Text),
    port_close(Port),
    ok.
