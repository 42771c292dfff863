%% The price list, as shops grow it: one process that answers every question about money.
%%
%% It adds up a whole basket inside the server, so every checkout of the shop waits for this one process,
%% however many cores there are. `total_of/1` is the same sum done where it is asked for.
-module(prices).
-behaviour(gen_server).

-export([start_link/1, total/1, total_of/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-type basket() :: [{Article :: pos_integer(), Pieces :: pos_integer()}].

-spec start_link(pos_integer()) -> {ok, pid()}.
start_link(Articles) ->
    {ok, _} = gen_server:start_link({local, ?MODULE}, ?MODULE, Articles, []).

%% What a basket costs, in cents, asked of the server.
-spec total(basket()) -> non_neg_integer().
total(Basket) ->
    gen_server:call(?MODULE, {total, Basket}, infinity).

%% The same, worked out by the caller from the table that the server owns.
-spec total_of(basket()) -> non_neg_integer().
total_of(Basket) ->
    lists:sum([line(Article, Pieces) || {Article, Pieces} <- Basket]).

init(Articles) ->
    ?MODULE = ets:new(?MODULE, [named_table, protected, {read_concurrency, true}]),
    true = ets:insert(?MODULE, [{Article, price(Article), rebates(Article)} || Article <- lists:seq(1, Articles)]),
    {ok, none}.

handle_call({total, Basket}, _From, State) ->
    {reply, total_of(Basket), State}.

handle_cast(_, State) ->
    {noreply, State}.

line(Article, Pieces) ->
    [{_, Cents, Rebates}] = ets:lookup(?MODULE, Article),
    Pieces * Cents * (100 - rebate(Pieces, Rebates)) div 100.

rebate(Pieces, Rebates) ->
    lists:max([0 | [Percent || {From, Percent} <- Rebates, Pieces >= From]]).

price(Article) ->
    100 + Article * 7919 rem 4900.

%% More pieces, more rebate: {from this many pieces, percent}.
rebates(Article) ->
    [{Step * (1 + Article rem 3), Step} || Step <- lists:seq(1, 24)].
