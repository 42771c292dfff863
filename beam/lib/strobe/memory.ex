defmodule Strobe.Memory do
  @moduledoc """
  Memory of one call, in the shape of Benchee's collectors: `collect/1` answers `{bytes | nil, value}`, and `bytes` is
  the number Benchee prints. `:strobe.measure_memory/1` has the rest: messages, binaries, child processes, peak.
  """

  @doc "Calls `fun` once and answers what it allocated, with its value."
  @spec collect((() -> value)) :: {non_neg_integer | nil, value} when value: term
  def collect(fun) do
    case :strobe_memory.measure(fun, warmup: 0) do
      {:ok, %{bytes: :undefined, value: value}} -> {nil, value}
      {:ok, %{bytes: bytes, value: value}} -> {bytes, value}
      {:error, reason} -> exit(reason)
    end
  end
end
