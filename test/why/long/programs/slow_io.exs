# A GenServer fetches each rate over a slow line inside handle_call. Cured: a task fetches and replies.
defmodule Rates do
  use GenServer
  def init(_), do: {:ok, 0}
  def fetch(c), do: (Process.sleep(6); :erlang.phash2(c))
  def handle_call({:rate, c}, _, n), do: {:reply, fetch(c), n + 1}
  def handle_call({:async, c}, from, n) do
    spawn_link(fn -> GenServer.reply(from, fetch(c)) end)
    {:noreply, n + 1}
  end
end
{:ok, r} = GenServer.start_link(Rates, [], name: Rates)
tag = if System.argv() == [], do: :rate, else: :async
1..9
|> Enum.map(fn w -> Task.async(fn -> for k <- 1..20, do: GenServer.call(r, {tag, {w, k}}, :infinity) end) end)
|> Task.await_many(:infinity)
IO.puts("calls=180")
