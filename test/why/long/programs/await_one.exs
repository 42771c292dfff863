# Task.async followed at once by Task.await, item by item. Cured: all started, then awaited.
defmodule Geo do
  def locate(n), do: Enum.reduce(1..250_000, n, fn i, a -> rem(a + i * i, 9_999_991) end)
end
items = 1..100
r =
  case System.argv() do
    [] -> Enum.map(items, fn n -> Task.async(fn -> Geo.locate(n) end) |> Task.await() end)
    _ -> items |> Enum.map(fn n -> Task.async(fn -> Geo.locate(n) end) end) |> Task.await_many()
  end
IO.puts("located=#{length(r)}")
