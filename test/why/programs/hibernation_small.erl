%% Servers hibernate after each request, with a state that no dirty scheduler collects. fixed: they do not.
-module(hibernation_small).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2]).

main(Args) ->
    Servers = [element(2, gen_server:start(?MODULE, Args =:= ["fixed"], [])) || _ <- lists:seq(1, 4)],
    [gen_server:call(S, {get, N}) || N <- lists:seq(1, 1500), S <- Servers].

init(Fixed) -> {ok, {Fixed, maps:from_list([{I, [I, I]} || I <- lists:seq(1, 4000)])}}.

handle_call({get, N}, _, {true, M} = S)  -> {reply, maps:get(N, M), S};
handle_call({get, N}, _, {false, M} = S) -> {reply, maps:get(N, M), S, hibernate}.

handle_cast(_, State) -> {noreply, State}.
