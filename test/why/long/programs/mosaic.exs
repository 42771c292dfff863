# Tiles are rendered by Enum.map in one process. Cured: Task.async_stream.
defmodule Tile do
  def render(n), do: Enum.reduce(1..60_000, n, fn i, a -> rem(a * 1103 + i, 2_147_483) end)
end
tiles = 1..400
sum =
  case System.argv() do
    [] -> tiles |> Enum.map(&Tile.render/1) |> Enum.sum()
    _ -> tiles |> Task.async_stream(&Tile.render/1, ordered: false) |> Enum.reduce(0, fn {:ok, x}, a -> a + x end)
  end
IO.puts("tiles=400 sum=#{sum}")
