# main asks an agent every 40 ms whether the batch is ready; ten batches. Cured: the job says so.
fixed = System.argv() != []
{:ok, st} = Agent.start_link(fn -> 0 end)
me = self()
t0 = System.monotonic_time(:millisecond)
defmodule Wait do
  def for_batch(st, n, looks), do: if(Agent.get(st, & &1) >= n, do: looks,
    else: (Process.sleep(40); for_batch(st, n, looks + 1)))
end
job = spawn_link(fn ->
  for n <- 1..12 do
    receive do {:go, ^n} -> :ok end
    Process.sleep(90)
    Agent.update(st, fn _ -> n end)
    if fixed, do: send(me, {:ready, n})
  end
end)
looks = for n <- 1..12 do
  send(job, {:go, n})
  if fixed, do: (receive do {:ready, ^n} -> 0 end), else: Wait.for_batch(st, n, 0)
end
IO.puts("looks=#{Enum.sum(looks)} ms=#{System.monotonic_time(:millisecond) - t0}")
