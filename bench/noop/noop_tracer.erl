-module(noop_tracer).
-export([load/1, enabled/3, trace/5, cpu_ns/0]).
load(Dir) -> erlang:load_nif(filename:join(Dir, "noop_tracer"), 0).
enabled(_, _, _) -> erlang:nif_error(not_loaded).
trace(_, _, _, _, _) -> erlang:nif_error(not_loaded).
cpu_ns() -> erlang:nif_error(not_loaded).
