-module(tally).
-export([open/1, add/1]).
-on_load(load/0).

load() -> erlang:load_nif("./tally", 0).

open(_Path) -> erlang:nif_error(not_loaded).
add(_Slot) -> erlang:nif_error(not_loaded).
