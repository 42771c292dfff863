%% The drain within the node, in C (beam/c_src/drain), called by strobe_drain. The functions below are replaced when the
%% library is loaded.
-module(strobe_drain_nif).
-export([load/1, open/1, check/1, step/1, rings/1, look/1, copy/1]).
-on_load(load/0).

load() -> load(strobe_program:home()).

% Loads the library from the folder priv of this one.
-spec load(file:filename()) -> ok | {error, term()}.
load(Home) -> erlang:load_nif(filename:join([Home, "priv", "strobe_drain_nif"]), 0).

-define(IN_C, erlang:nif_error(strobe_drain_nif_not_loaded)).

%% Opens a drain. The arguments are those of the program strobe-drain, as binaries.
-spec open([binary()]) -> {ok, reference()} | {error, binary()}.
open(_Arguments) -> ?IN_C.

%% Checks the conditions of a flight recorder: see src/live/drain/when.h.
-spec check([binary()]) -> ok | {error, binary()}.
check(_Conditions) -> ?IN_C.

%% Takes a step. If another process is taking one, nothing happens and the caller has to come again.
-spec step(reference()) -> {more, Milliseconds :: pos_integer()} | {done, binary()} | {error, binary()}.
step(_Drain) -> ?IN_C.

%% Opens the rings to be copied, in the place of a drain.
-spec rings(binary()) -> {ok, reference()} | {error, binary()}.
rings(_Path) -> ?IN_C.

%% The clock of events in nanoseconds, and how many events there have been.
-spec look(reference()) -> {Clock :: integer(), Events :: non_neg_integer()}.
look(_Rings) -> ?IN_C.

%% Copies what has come since the last copy, up to the returned time at least.
-spec copy(reference()) -> {Clock :: integer(), binary()} | {error, binary()}.
copy(_Rings) -> ?IN_C.
