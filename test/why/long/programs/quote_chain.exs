# Quote calls Tax inside of handle_call, Tax computes
defmodule Tax do
  use GenServer
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: :"tax_#{n}")
  def init(n), do: {:ok, n}
  def handle_call({:tax, v}, _, n), do: {:reply, Enum.reduce(1..9000, v, fn i, a -> rem(a * 31 + i, 1_000_003) end), n}
end
defmodule Quote do
  use GenServer
  def start_link(how), do: GenServer.start_link(__MODULE__, how, name: __MODULE__)
  def init(how), do: {:ok, how}
  def handle_call({:quote, v}, from, :cured) do
    Task.start(fn -> GenServer.reply(from, GenServer.call(:"tax_#{rem(v, 2)}", {:tax, v}, :infinity)) end)
    {:noreply, :cured}
  end
  def handle_call({:quote, v}, _, how), do: {:reply, GenServer.call(:tax_0, {:tax, v}, :infinity), how}
end
how = if System.argv() == ["cured"], do: :cured, else: :slow
for n <- 0..1, do: Tax.start_link(n)
Quote.start_link(how)
1..10
|> Enum.map(fn c ->
  Task.async(fn -> for(i <- 1..200, do: GenServer.call(Quote, {:quote, c * i}, :infinity)) |> Enum.sum() end)
end)
|> Task.await_many(:infinity) |> Enum.sum() |> IO.puts()
