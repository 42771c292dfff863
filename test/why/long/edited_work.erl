%% Work in a module of its own, whose calls are not traced.
-module(edited_work).
-export([burn/2]).

burn(0, X) -> X;
burn(N, X) -> burn(N - 1, (X * 7 + N) rem 1000003).
