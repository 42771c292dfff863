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

  @doc "Records while `fun` runs. Options as in `:strobe.help()`."
  @spec profile(Path.t(), (() -> value), keyword) :: {:ok, value, map} | {:error, term} when value: term
  def profile(file, fun, opts \\ []), do: :strobe.profile(to_charlist(file), fun, opts)

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
