# Task.await one by one, then works on each; the second one comes late
cured = System.argv() == ["cured"]
ts = for i <- 1..30, do: Task.async(fn -> Process.sleep(if i == 2, do: 800, else: 10); i end)
work = fn v -> Enum.reduce(1..200_000, v, fn i, a -> :erlang.phash2({i, a}) end) end
r = if cured,
  do: Enum.map(1..30, fn _ ->
    receive do {ref, v} when is_reference(ref) -> Process.demonitor(ref, [:flush]); work.(v) end
  end),
  else: Enum.map(ts, fn t -> work.(Task.await(t)) end)
IO.puts(length(r))
