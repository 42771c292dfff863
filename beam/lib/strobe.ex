defmodule Strobe do
  @moduledoc """
  strobe from Elixir: record what the BEAM does, and look at it.

      {:ok, value, summary} = Strobe.profile("t.sbt", fn -> MyApp.job() end)
      {:ok, _} = Strobe.analyze("t.sbt")
      {:ok, %{url: url}} = Strobe.start_webserver()

  `mix profile.strobe` does it from the command line, `strobe record -- mix test` from outside, and `Strobe.Case`
  records tests. Functions of the Erlang modules `:strobe`, `:strobe_fprof`, `:strobe_eprof` and `:strobe_cprof` can be
  called as they are; `:strobe.help()` lists them.
  """

  @doc """
  Records while `fun` runs, or, without one, until `stop_profile/0` or a limit. Options as in `help/0`.

      {:ok, value, summary} = Strobe.profile("t.sbt", fn -> MyApp.job() end)
      {:ok, _} = Strobe.profile("t.sbt", duration: "5s")
  """
  @spec profile(Path.t(), (() -> value) | keyword, keyword) :: {:ok, value, map} | {:ok, pid} | {:error, term}
        when value: term
  def profile(file, fun_or_opts, opts \\ [])
  def profile(file, fun, opts) when is_function(fun, 0), do: :strobe.profile(to_charlist(file), fun, opts)
  def profile(file, opts, []) when is_list(opts), do: :strobe.profile(to_charlist(file), opts)

  @doc "Ends the recording that `profile/2` began."
  @spec stop_profile() :: {:ok, map} | {:error, term}
  defdelegate stop_profile(), to: :strobe

  @doc """
  Keeps the last seconds of events in memory, and writes them as a trace when `snapshot/1` or `strobe snapshot` asks for
  it, when a trigger fires, or when the node dies.

      {:ok, _} = Strobe.flight(window: "60s", file: "flight.sbt", triggers: ["mailbox > 10000", "log error"])
  """
  @spec flight(keyword) :: {:ok, pid} | {:error, term}
  def flight(opts \\ []), do: :strobe.flight(opts)

  @doc "Has the flight recorder of this node write its trace, with the text as a mark."
  @spec snapshot(String.t()) :: {:ok, charlist} | {:error, term}
  def snapshot(why), do: :strobe.snapshot(why)

  @doc "Calls by function, while `fun` runs; `modules: [M]` or `processes: :all` as options."
  @spec count((() -> value), keyword) :: {:ok, value, [map]} | {:error, term} when value: term
  def count(fun, opts \\ []), do: :strobe.count(fun, opts)

  @doc "Own time by function, in microseconds, while `fun` runs."
  @spec time((() -> value), keyword) :: {:ok, value, [map]} | {:error, term} when value: term
  def time(fun, opts \\ []), do: :strobe.time(fun, opts)

  @doc "Words allocated by function while `fun` runs (OTP 26 or later)."
  @spec memory((() -> value), keyword) :: {:ok, value, [map]} | {:error, term} when value: term
  def memory(fun, opts \\ []), do: :strobe.memory(fun, opts)

  @doc """
  Prints the summary of a trace or a profile, or another section of `strobe report`.

      Strobe.report("t.sbt")
      Strobe.report("t.sbt", ["waits", "--limit", "20"])
  """
  @spec report(Path.t(), [String.t()]) :: :ok | {:error, term}
  def report(file, args \\ []), do: :strobe.report(file, args ++ ["--elixir"])

  @doc "Lists the functions and options of `:strobe`."
  @spec help() :: :ok
  defdelegate help(), to: :strobe

  @doc "Analyses a trace, or several of them, to one profile beside the first."
  @spec analyze(Path.t() | [Path.t()]) :: {:ok, map} | {:error, term}
  def analyze(files), do: :strobe.analyze(Enum.map(List.wrap(files), &to_charlist/1))

  @doc "Shows what was analysed last as a web page."
  @spec start_webserver(:inet.port_number()) :: {:ok, map} | {:error, term}
  defdelegate start_webserver(port \\ 0), to: :strobe

  @doc "Ends the web page."
  @spec stop_webserver() :: :ok | {:error, :not_started}
  defdelegate stop_webserver(), to: :strobe

  @doc "Puts a text into the trace, if one is being taken."
  @spec mark(String.t()) :: :ok
  defdelegate mark(text), to: :strobe

  @doc "How much memory one call of `fun` takes: Benchee's number as `:bytes`, and what that leaves out."
  @spec measure_memory((() -> term), keyword) :: {:ok, map} | {:error, term}
  def measure_memory(fun, opts \\ []), do: :strobe.measure_memory(fun, opts)
end
