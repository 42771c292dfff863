%% @doc Prints eprof's tables: five columns, the most expensive function at the bottom, a line of totals.
-module(strobe_eprof_table).

-export([print/4]).

-define(HEADINGS, ["FUNCTION", "CALLS", "      %", "TIME", "uS / CALLS"]).

%% @doc Prints to the caller's group leader, and to `Log' if there is one.
-spec print(procs | total, Parts, [tuple()], undefined | file:io_device()) -> ok when
      Parts :: {{non_neg_integer(), non_neg_integer()}, [{pid(), Counted}], Counted},
      Counted :: [strobe_eprof:counted()].
print(total, {Sum, _, Total}, Options, Log) ->
    put_text(Log, table(Total, Sum, Options));
print(procs, {{_, AllUs}, ByPid, _}, Options, Log) ->
    put_text(Log, [process(Pid, Counted, AllUs, Options) || {Pid, Counted} <- ByPid]).

process(Pid, Counted, AllUs, Options) ->
    {_, Us} = Sum = sum(Counted),
    [io_lib:format("~n****** Process ~w    -- ~.2f % of profiled time *** ~n", [Pid, percent(Us, AllUs)]),
     table(Counted, Sum, Options)].

table(Counted, {Calls, Us}, Options) ->
    Shown = filtered(sorted(Counted, proplists:get_value(sort, Options)), proplists:get_value(filter, Options)),
    Rows = [cells(C, Us) || C <- Shown],
    Totals = ["Total:", text(Calls), "100.00%", text(Us), fixed(ratio(Us, Calls))],
    Widths = [lists:max([string:length(Cell) || Cell <- Column])
              || Column <- columns([widening(Totals), ?HEADINGS | Rows])],
    [row(Widths, Cells)
     || Cells <- [?HEADINGS, [dashes(string:length(H)) || H <- ?HEADINGS]] ++ Rows
         ++ [[dashes(W) || W <- Widths], Totals]].

%% The first and third cells of the totals never widen a column.
widening([_, Calls, _, Us, Each]) -> ["", Calls, "", Us, Each].

cells({{M, F, A}, {Calls, Us}}, AllUs) ->
    [lists:flatten(io_lib:format("~w:~tw/~w", [M, F, A])), text(Calls), fixed(percent(Us, AllUs)), text(Us),
     fixed(ratio(Us, Calls))].

columns(Rows) -> [[lists:nth(N, Row) || Row <- Rows] || N <- lists:seq(1, length(?HEADINGS))].

row([W1, W2, W3, W4, W5], Cells) ->
    io_lib:format(lists:flatten(io_lib:format("~~.~wts  ~~~ws  ~~~ws  ~~~ws  [~~~ws]~~n", [W1, W2, W3, W4, W5])),
                  Cells).

%% Equal rows are sorted in reverse order: this is eprof's comparison.
sorted(Counted, mfa)   -> lists:sort(fun({A, _}, {B, _}) -> A < B end, Counted);
sorted(Counted, calls) -> lists:sort(fun({_, {A, _}}, {_, {B, _}}) -> A < B end, Counted);
sorted(Counted, _)     -> lists:sort(fun({_, {_, A}}, {_, {_, B}}) -> A < B end, Counted).

filtered(Counted, Limits) when is_list(Limits) ->
    {LeastCalls, LeastUs} = {proplists:get_value(calls, Limits, 0), proplists:get_value(time, Limits, 0)},
    [C || {_, {Calls, Us}} = C <- Counted, Calls >= LeastCalls, Us >= LeastUs];
filtered(Counted, _) ->
    Counted.

sum(Counted) ->
    lists:foldl(fun({_, {C, U}}, {Calls, Us}) -> {Calls + C, Us + U} end, {0, 0}, Counted).

percent(Part, Whole) -> 100 * ratio(Part, Whole).

ratio(_, 0) -> 0.0;
ratio(A, B) -> A / B.

fixed(Number) -> lists:flatten(io_lib:format("~.2f", [Number * 1.0])).

text(Integer) -> integer_to_list(Integer).

dashes(Width) -> lists:duplicate(Width, $-).

put_text(undefined, Text) -> io:put_chars(Text);
put_text(Log, Text)       -> ok = io:put_chars(Log, Text), io:put_chars(Text).
