%% The drain within the node, in C (beam/c_src/drain); strobe_drain calls it. The functions below stand in for the
%% library until it is loaded.
-module(strobe_drain_nif).
-export([open/1, step/1]).
-on_load(load/0).

load() -> erlang:load_nif(filename:join([strobe_program:home(), "priv", "strobe_drain_nif"]), 0).

-define(IN_C, erlang:nif_error(strobe_drain_nif_not_loaded)).

%% Arguments as of the program strobe-drain, each a binary.
-spec open([binary()]) -> {ok, reference()} | {error, binary()}.
open(_Arguments) -> ?IN_C.

%% Never from two processes at a time to any effect: the second is told to come again.
-spec step(reference()) -> {more, Milliseconds :: pos_integer()} | {done, binary()} | {error, binary()}.
step(_Drain) -> ?IN_C.
