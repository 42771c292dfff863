# A coordinator waits for 1500 acknowledgements by tag while 30,000 events are in its mailbox.
me = self()
co = spawn_link(fn ->
  Process.register(self(), :coordinator)
  receive do :go -> :ok end
  {_, q} = Process.info(self(), :message_queue_len)
  t0 = System.monotonic_time(:millisecond)
  if System.argv() != [], do: (for _ <- 1..30_000, do: (receive do {:event, _} -> :ok end))
  for k <- 1..1500, do: (send(:acker, {self(), k}); receive do {:ack, ^k} -> :ok end)
  send(me, {:done, q, System.monotonic_time(:millisecond) - t0})
end)
spawn_link(fn ->
  Process.register(self(), :acker)
  Enum.each(Stream.cycle([1]), fn _ -> receive do {f, k} -> send(f, {:ack, k}) end end)
end)
for n <- 1..30_000, do: send(co, {:event, n})
send(co, :go)
receive do {:done, q, ms} -> IO.puts("acks=1500 mailbox=#{q} ms=#{ms}") end
