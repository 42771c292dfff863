# Task.async_stream with max_concurrency: 1 over CPU work. Cured: the default.
defmodule Thumb do
  def scale(n), do: Enum.reduce(1..200_000, n, fn i, a -> Bitwise.bxor(a, i * 31) end)
end
opts = if System.argv() == [], do: [max_concurrency: 1], else: []
r = 1..150 |> Task.async_stream(&Thumb.scale/1, opts) |> Enum.count()
IO.puts("thumbs=#{r}")
