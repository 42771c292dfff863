%% A module as the compiler of Elixir names it.
-module('Elixir.Shop.Cart').
-export([loop/0]).

loop() -> receive after 5 -> ok end, loop().
