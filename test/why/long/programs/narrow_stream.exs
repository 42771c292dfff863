# Task.async_stream over slow fetches with max_concurrency: 2 (the work is waiting). Cured: 32.
defmodule Site do
  def fetch(n) do
    Process.sleep(20)
    :erlang.phash2({:page, n})
  end
end
width = if System.argv() == [], do: 2, else: 32
r = 1..96 |> Task.async_stream(&Site.fetch/1, max_concurrency: width) |> Enum.map(fn {:ok, x} -> x end)
IO.puts("fetched=#{length(r)} width=#{width}")
