# A pipeline of four stages; the third does nearly all. Cured: four copies of the third.
defmodule Stage do
  def start(f, next), do: spawn_link(fn -> loop(f, next) end)
  def loop(f, next) do
    receive do
      {:item, n, x} -> send(pick(next, n), {:item, n, f.(x)}); loop(f, next)
    end
  end
  def pick(l, n) when is_list(l), do: Enum.at(l, rem(n, length(l)))
  def pick(p, _), do: p
  def heavy(x), do: Enum.reduce(1..15_000, x, fn i, a -> rem(a * 3 + i, 10_007) end)
end
me = self()
out = Stage.start(&(&1 + 1), me)
mid = for _ <- 1..if(System.argv() == [], do: 1, else: 4), do: Stage.start(&Stage.heavy/1, out)
inn = Stage.start(&(&1 * 2), mid)
for n <- 1..2500, do: send(inn, {:item, n, n})
for _ <- 1..2500, do: receive(do: ({:item, _, _} -> :ok))
IO.puts("items=2500")
