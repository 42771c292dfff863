%% The tracer itself, in C (beam/c_src). Only modules of strobe call the functions of the first export list; the VM
%% calls the others. The functions below are replaced when the library is loaded.
-module(strobe_nif).
-export([load/1]).
-export([open/3, begin_/0, halt_/0, quiet/0, close/1, is_orphan/0, note/2, hide/1, running/0, receivers/0, emit/5,
         status/0, hot/1,
         new_funs/0, name_fun/4, only/1, cost/0,
         clock/0, ask/3, answer/1, forgot/0, wanted/0, mute/1, rest/1, filter/3, filter_run/2, filter_names/0,
         loaded/0, functions/1]).
-export([enabled/3, enabled_call/3, enabled_send/3, enabled_receive/3, enabled_procs/3, enabled_ports/3,
         enabled_running_procs/3, enabled_running_ports/3, enabled_garbage_collection/3]).
-export([trace/5, trace_call/5, trace_send/5, trace_receive/5, trace_procs/5, trace_ports/5,
         trace_running_procs/5, trace_running_ports/5, trace_garbage_collection/5]).
-on_load(load/0).

load() -> load(strobe_program:home()).

% Loads the library from the folder priv of this one.
-spec load(file:filename()) -> ok | {error, term()}.
load(Home) -> erlang:load_nif(filename:join([Home, "priv", "strobe_nif"]), 0).

-define(IN_C, erlang:nif_error(strobe_nif_not_loaded)).

%% Creates the rings. Sizes: {LargeRings, Bytes, Chunk, SmallRings, Bytes, Chunk, DictionaryBytes}.
open(_Path, _Sizes, _Probes) -> ?IN_C.
begin_() -> ?IN_C.
halt_() -> ?IN_C.
quiet() -> ?IN_C.
close(_Finished) -> ?IN_C.
is_orphan() -> ?IN_C.
note(_Key, _Value) -> ?IN_C.
hide(_Pid) -> ?IN_C.
running() -> ?IN_C.
receivers() -> ?IN_C.
mute(_Pid) -> ?IN_C.
rest(_Asleep) -> ?IN_C.
filter(_Scope, _Pids, _Program) -> ?IN_C.
filter_run(_Program, _Event) -> ?IN_C.
filter_names() -> ?IN_C.
emit(_Tag, _Who, _A, _B, _C) -> ?IN_C.
status() -> ?IN_C.
hot(_AtLeast) -> ?IN_C.
new_funs() -> ?IN_C.
name_fun(_Id, _AtomId, _Name, _Arity) -> ?IN_C.
only(_Modules) -> ?IN_C.
cost() -> ?IN_C.
clock() -> ?IN_C.
ask(_Kind, _Why, _Path) -> ?IN_C.
answer(_Slot) -> ?IN_C.
forgot() -> ?IN_C.
wanted() -> ?IN_C.
loaded() -> ?IN_C.
functions(_At) -> ?IN_C.

enabled(_, _, _) -> ?IN_C.
enabled_call(_, _, _) -> ?IN_C.
enabled_send(_, _, _) -> ?IN_C.
enabled_receive(_, _, _) -> ?IN_C.
enabled_procs(_, _, _) -> ?IN_C.
enabled_ports(_, _, _) -> ?IN_C.
enabled_running_procs(_, _, _) -> ?IN_C.
enabled_running_ports(_, _, _) -> ?IN_C.
enabled_garbage_collection(_, _, _) -> ?IN_C.
trace(_, _, _, _, _) -> ?IN_C.
trace_call(_, _, _, _, _) -> ?IN_C.
trace_send(_, _, _, _, _) -> ?IN_C.
trace_receive(_, _, _, _, _) -> ?IN_C.
trace_procs(_, _, _, _, _) -> ?IN_C.
trace_ports(_, _, _, _, _) -> ?IN_C.
trace_running_procs(_, _, _, _, _) -> ?IN_C.
trace_running_ports(_, _, _, _, _) -> ?IN_C.
trace_garbage_collection(_, _, _, _, _) -> ?IN_C.
