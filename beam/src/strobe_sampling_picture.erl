%% @doc Draws what strobe_sampling wrote, `sample_ITEM.dat', as `sample_ITEM.svg': a line for each column. Run queues
%% and utilisation are areas on top of each other, whose upper edge is the sum.
-module(strobe_sampling_picture).

-export([draw/1]).

-define(WIDTH, 800).
-define(HEIGHT, 240).
-define(LEFT, 70).
-define(TOP, 34).
-define(COLOURS, ["#2a6fb0", "#d9772b", "#3f9142", "#b8433f", "#7a5ba6", "#8a6d3b", "#c45c9c", "#6b7280"]).

-spec draw(file:filename()) -> ok | {error, term()}.
draw(File) ->
    {ok, Text} = file:read_file(File),
    [<<"#", Item/binary>> | Lines] = binary:split(Text, <<"\n">>, [global, trim_all]),
    Rows = [[number(N) || N <- binary:split(L, <<" ">>, [global])] || L <- Lines],
    file:write_file(filename:rootname(File) ++ ".svg", unicode:characters_to_binary(picture(Item, Rows))).

number(Text) -> try binary_to_float(Text) catch error:badarg -> binary_to_integer(Text) end.

picture(Item, Rows0) ->
    Stacked = lists:member(Item, [<<"run_queues">>, <<"scheduler_utilisation">>]),
    Rows = case Stacked of true -> [[At | sums(Values, 0)] || [At | Values] <- Rows0]; false -> Rows0 end,
    Most = lists:max([0 | [V || [_ | Values] <- Rows, V <- Values]]),
    Last = lists:max([0.001 | [At || [At | _] <- Rows]]),
    Place = fun(At, V) -> {?LEFT + At / Last * ?WIDTH, ?TOP + ?HEIGHT * (1 - V / max(Most, 0.000001))} end,
    Columns = case Rows of [[_ | Values] | _] -> lists:seq(1, length(Values)); [] -> [] end,
    Curve = fun(N) -> [Place(hd(Row), lists:nth(N + 1, Row)) || Row <- Rows] end,
    Draw = fun(N) -> curve(Stacked, Curve(N), colour(N)) end,
    ["<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" font-size=\"12\" viewBox=\"0 0 ",
     integer_to_list(?LEFT + ?WIDTH + 20), " ", integer_to_list(?TOP + ?HEIGHT + 30), "\">\n",
     text(?LEFT, 14, "start", escaped(Item)),
     [text(?LEFT + 200 + 90 * (N - 1), 14, "start", name(Item, N), colour(N)) || length(Columns) > 1, N <- Columns],
     text(?LEFT - 6, ?TOP + 4, "end", shown(Most)), text(?LEFT - 6, ?TOP + ?HEIGHT, "end", "0"),
     text(?LEFT, ?TOP + ?HEIGHT + 18, "middle", "0 s"),
     text(?LEFT + ?WIDTH, ?TOP + ?HEIGHT + 18, "end", [shown(Last), " s"]),
     io_lib:format("<path d=\"M~b ~bV~bH~b\" fill=\"none\" stroke=\"#999\"/>\n",
                   [?LEFT, ?TOP, ?TOP + ?HEIGHT, ?LEFT + ?WIDTH]),
     [Draw(N) || N <- lists:reverse(Columns)], % the sum first, so that the others cover it
     "</svg>\n"].

sums([], _)             -> [];
sums([V | Rest], Below) -> [Below + V | sums(Rest, Below + V)].

%% One sample is a dot.
curve(_, [{X, Y}], Colour) ->
    io_lib:format("<circle cx=\"~.1f\" cy=\"~.1f\" r=\"3\" fill=\"~s\"/>\n", [X, Y, Colour]);
curve(false, Points, Colour) ->
    ["<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"", Colour, "\" points=\"", points(Points), "\"/>\n"];
curve(true, [{X, _} | _] = Points, Colour) ->
    Floor = float(?TOP + ?HEIGHT),
    {Last, _} = lists:last(Points),
    ["<polygon fill=\"", Colour, "\" points=\"", points([{X, Floor} | Points] ++ [{Last, Floor}]), "\"/>\n"].

points(Points) -> [io_lib:format("~.1f,~.1f ", [X, Y]) || {X, Y} <- Points].

text(X, Y, Anchor, Text) -> text(X, Y, Anchor, Text, "#333").

text(X, Y, Anchor, Text, Colour) ->
    io_lib:format("<text x=\"~b\" y=\"~b\" text-anchor=\"~s\" fill=\"~s\">~ts</text>\n", [X, Y, Anchor, Colour, Text]).

name(<<"mem_info">>, N)              -> lists:nth(N, ["total", "processes", "ets", "atom", "code", "binary"]);
name(<<"scheduler_utilisation">>, N) -> ["scheduler ", integer_to_list(N)];
name(_, N)                           -> ["queue ", integer_to_list(N)].

shown(V) when is_integer(V) -> integer_to_list(V);
shown(V)                    -> float_to_list(V, [{decimals, 3}, compact]).

colour(N) -> lists:nth((N - 1) rem length(?COLOURS) + 1, ?COLOURS).

escaped(Text) -> lists:foldl(fun({C, With}, T) -> binary:replace(T, C, With, [global]) end, Text,
                             [{<<"&">>, <<"&amp;">>}, {<<"<">>, <<"&lt;">>}, {<<">">>, <<"&gt;">>}]).
