defmodule Strobe.Counters do
  @moduledoc """
  Calls, own time and memory of functions by breakpoint counters: what `mix profile.strobe --type` prints.
  """

  @type type :: :calls | :time | :memory
  @type row :: {mfa, calls :: non_neg_integer, value :: non_neg_integer}

  @kinds %{calls: :call_count, time: :call_time, memory: :call_memory}
  @ours [:strobe_otp, __MODULE__]

  @doc """
  Runs `fun` in a process of its own and counts there, and in the processes it starts; calls are counted everywhere.

  `pattern` is `{module, function, arity}`, with `:_` for any. The value of `:calls` rows is 0, of `:time` microseconds,
  of `:memory` words.
  """
  @spec run(type, (() -> value), {atom, atom, arity | :_}) :: {:ok, value, [row]} | {:error, :needs_otp_26}
        when value: term
  def run(type, fun, pattern \\ {:_, :_, :_}) do
    kind = Map.fetch!(@kinds, type)
    if kind in :strobe_otp.kinds(), do: count(kind, fun, pattern), else: {:error, :needs_otp_26}
  end

  # The session, and the tracer of the processes, is a process that lives until the counters are read.
  defp count(kind, fun, {module, _, _} = pattern) do
    if module != :_, do: Code.ensure_loaded(module)

    Task.await(
      Task.async(fn ->
        session = :strobe_otp.open(__MODULE__)

        try do
          set(session, pattern, true, kind)
          value = apply_traced(session, kind, fun)
          set(session, pattern, :pause, kind)
          {:ok, value, rows(session, kind, module)}
        after
          set(session, pattern, false, kind)
          :strobe_otp.shut(session)
        end
      end),
      :infinity
    )
  end

  defp set(session, pattern, switch, kind) do
    for p <- [:on_load, pattern], do: :strobe_otp.pattern(session, p, switch, [kind])
  end

  defp apply_traced(session, kind, fun) do
    runner =
      Task.async(fn ->
        receive do
          :go -> fun.()
        end
      end)

    if kind != :call_count, do: :strobe_otp.processes(session, runner.pid, true, [:call, :set_on_spawn])
    send(runner.pid, :go)
    Task.await(runner, :infinity)
  end

  defp rows(session, kind, only) do
    for {module, _} <- :code.all_loaded(),
        only in [:_, module] and module not in @ours,
        {f, a} <- module.module_info(:functions),
        {calls, value} <- [sum(:strobe_otp.read(session, {module, f, a}, kind))],
        calls > 0,
        do: {{module, f, a}, calls, value}
  end

  defp sum(calls) when is_integer(calls), do: {calls, 0}

  defp sum(processes) when is_list(processes) do
    Enum.reduce(processes, {0, 0}, fn
      {_, n, s, us}, {calls, value} -> {calls + n, value + s * 1_000_000 + us}
      {_, n, words}, {calls, value} -> {calls + n, value + words}
    end)
  end

  defp sum(_), do: {0, 0}

  @doc "The rows as a table, the worst last. Options: `:sort` (`\"time\"`, `\"calls\"`, `\"memory\"` or `\"mfa\"`),
  and the least of `:calls` or `:limit`, and of `:time` or `:memory`."
  @spec table(type, [row], keyword) :: String.t()
  def table(type, rows, opts \\ []) do
    by = if type == :calls or opts[:sort] == "calls", do: 1, else: 2
    all = rows |> Enum.map(&elem(&1, by)) |> Enum.sum()
    least = {opts[:calls] || opts[:limit] || 0, opts[:time] || opts[:memory] || 0}
    key = if opts[:sort] == "mfa", do: &elem(&1, 0), else: &{elem(&1, by), elem(&1, 0)}

    lines =
      rows
      |> Enum.filter(fn {_, calls, value} ->
        calls >= elem(least, 0) and (type == :calls or value >= elem(least, 1))
      end)
      |> Enum.sort_by(key)
      |> Enum.map(&cells(type, &1, by, all))

    format([heading(type) | lines])
  end

  defp heading(:calls), do: ["FUNCTION", "CALLS", "%"]
  defp heading(:time), do: ["FUNCTION", "CALLS", "%", "TIME (us)", "us/CALL"]
  defp heading(:memory), do: ["FUNCTION", "CALLS", "%", "WORDS", "WORDS/CALL"]

  defp cells(type, {{m, f, a}, calls, value} = row, by, all) do
    [Exception.format_mfa(m, f, a), Integer.to_string(calls), fixed(100 * elem(row, by), max(all, 1))] ++
      if type == :calls, do: [], else: [Integer.to_string(value), fixed(value, calls)]
  end

  defp fixed(a, b), do: :erlang.float_to_binary(a / b, decimals: 2)

  defp format([first | _] = lines) do
    widths = for i <- 0..(length(first) - 1), do: lines |> Enum.map(&String.length(Enum.at(&1, i))) |> Enum.max()
    Enum.map_join(lines, "\n", fn [name | numbers] -> line(name, numbers, widths) end)
  end

  defp line(name, numbers, [width | widths]) do
    [
      String.pad_trailing(name, width)
      | Enum.zip(numbers, widths) |> Enum.map(fn {n, w} -> String.pad_leading(n, w) end)
    ]
    |> Enum.join("  ")
  end
end
