# Tasks in a stream, a GenServer, a Registry, an Agent and a DynamicSupervisor.
defmodule :program_elixir do
  use GenServer

  def run do
    [_ | _] = 1..20 |> Task.async_stream(fn n -> Enum.sum(1..(n * 100)) end, max_concurrency: 4) |> Enum.to_list()
    slow =
      Task.async_stream(1..3, fn n -> Process.sleep(n * 4) end, timeout: 6, on_timeout: :kill_task)
      |> Enum.to_list()
    true = {:exit, :timeout} in slow
    {:ok, server} = GenServer.start_link(:program_elixir, 0)
    for n <- 1..20, do: GenServer.cast(server, n)
    210 = GenServer.call(server, :sum)
    {:ok, registry} = Registry.start_link(keys: :duplicate, name: Names)
    parent = self()

    listeners =
      for n <- 1..5 do
        Task.async(fn ->
          {:ok, _} = Registry.register(Names, :news, n)
          send(parent, :registered)
          receive do: ({:news, m} -> n * m)
        end)
      end

    for _ <- 1..5, do: receive(do: (:registered -> :ok))
    Registry.dispatch(Names, :news, fn all -> for {pid, _} <- all, do: send(pid, {:news, 2}) end)
    30 = listeners |> Task.await_many() |> Enum.sum()
    {:ok, agent} = Agent.start_link(fn -> %{} end)
    for n <- 1..10, do: Agent.update(agent, &Map.put(&1, n, n))
    10 = Agent.get(agent, &map_size/1)
    {:ok, supervisor} = DynamicSupervisor.start_link(strategy: :one_for_one)
    for n <- 1..5, do: {:ok, _} = DynamicSupervisor.start_child(supervisor, {:program_elixir, n})
    DynamicSupervisor.stop(supervisor)
    GenServer.stop(server)
    Supervisor.stop(registry)
  end

  def start_link(n), do: GenServer.start_link(__MODULE__, n)
  def init(n), do: {:ok, n}
  def handle_cast(n, sum), do: {:noreply, sum + n}
  def handle_call(:sum, _, sum), do: {:reply, sum, sum}
end
