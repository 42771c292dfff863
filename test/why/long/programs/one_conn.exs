# A pool hands out its one connection; each query waits 8 ms. Cured: ten connections.
defmodule Pool do
  use GenServer
  def init(n), do: {:ok, {for(_ <- 1..n, do: elem(GenServer.start_link(Conn, nil), 1)), :queue.new()}}
  def handle_call(:checkout, from, {[], q}), do: {:noreply, {[], :queue.in(from, q)}}
  def handle_call(:checkout, _, {[c | cs], q}), do: {:reply, c, {cs, q}}
  def handle_cast({:checkin, c}, {free, q}) do
    case :queue.out(q) do
      {{:value, from}, q} -> GenServer.reply(from, c); {:noreply, {free, q}}
      {:empty, q} -> {:noreply, {[c | free], q}}
    end
  end
end
defmodule Conn do
  use GenServer
  def init(_), do: {:ok, 0}
  def handle_call({:sql, q}, _, n), do: (Process.sleep(8); {:reply, {:rows, :erlang.phash2(q)}, n + 1})
end
{:ok, pool} = GenServer.start_link(Pool, if(System.argv() == [], do: 1, else: 10), name: Pool)
1..10
|> Enum.map(fn w -> Task.async(fn -> for k <- 1..15 do
  c = GenServer.call(pool, :checkout, :infinity)
  r = GenServer.call(c, {:sql, {w, k}})
  GenServer.cast(pool, {:checkin, c})
  r
end end) end)
|> Task.await_many(:infinity)
IO.puts("queries=150")
