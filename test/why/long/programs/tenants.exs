# DynamicSupervisor starts 15 tenants, each waits for its data 60 ms in init
defmodule Tenant do
  use GenServer
  def start_link({n, how}), do: GenServer.start_link(__MODULE__, {n, how}, name: {:global, {:tenant, n}})
  def init({n, :cured}), do: {:ok, n, {:continue, :load}}
  def init({n, _}), do: {:ok, load(n)}
  def handle_continue(:load, n), do: {:noreply, load(n)}
  def handle_call(:get, _, s), do: {:reply, s, s}
  defp load(n) do
    Process.sleep(60)
    n * 2
  end
end
how = if System.argv() == ["cured"], do: :cured, else: :slow
t = System.monotonic_time(:millisecond)
{:ok, sup} = DynamicSupervisor.start_link(strategy: :one_for_one, name: TenantSup)
ps = for n <- 1..15, do: elem(DynamicSupervisor.start_child(sup, {Tenant, {n, how}}), 1)
r = ps |> Enum.map(fn p -> Task.async(fn -> GenServer.call(p, :get, 10_000) end) end) |> Task.await_many(10_000)
IO.puts("#{length(r)} ready after #{System.monotonic_time(:millisecond) - t} ms")
