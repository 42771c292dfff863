# A worker reads a file that is not there in its continue and crashes; the supervisor restarts it. Cured: it waits.
defmodule Reader do
  use GenServer
  def start_link(a), do: GenServer.start_link(__MODULE__, a)
  def init(a), do: {:ok, a, {:continue, :read}}
  def handle_continue(:read, {c, fixed}) do
    :counters.add(c, 1, 1)
    if fixed do
      Process.send_after(self(), :again, 500); {:noreply, {c, fixed}}
    else
      {:ok, _} = File.read("/nonexistent/#{:counters.get(c, 1)}"); {:noreply, {c, fixed}}
    end
  end
  def handle_info(:again, s), do: {:noreply, s}
end
Logger.configure(level: :none)
c = :counters.new(1, [])
fixed = System.argv() != []
{:ok, _} = Supervisor.start_link([{Reader, {c, fixed}}], strategy: :one_for_one,
  max_restarts: 100_000, max_seconds: 1, name: Readers)
Process.sleep(300)
IO.puts("starts=#{:counters.get(c, 1)}")
System.halt(0)
