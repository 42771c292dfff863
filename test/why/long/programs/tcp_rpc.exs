# A report asks a service over TCP for 250 prices, one after the other; each answer takes 4 ms. Cured: fifty at a time.
defmodule Svc do
  def accept(l) do
    {:ok, s} = :gen_tcp.accept(l)
    p = spawn(fn -> receive do :go -> serve(s) end end)
    :ok = :gen_tcp.controlling_process(s, p)
    send(p, :go)
    accept(l)
  end
  def serve(s) do
    case :gen_tcp.recv(s, 4) do
      {:ok, <<n::32>>} -> Process.sleep(4); :ok = :gen_tcp.send(s, <<n * 3::32>>); serve(s)
      _ -> :ok
    end
  end
  def ask(s, n) do
    :ok = :gen_tcp.send(s, <<n::32>>)
    {:ok, <<p::32>>} = :gen_tcp.recv(s, 4)
    p
  end
end
{:ok, l} = :gen_tcp.listen(0, [:binary, packet: 0, backlog: 256, active: false, reuseaddr: true,
                               nodelay: true, ip: {127, 0, 0, 1}])
{:ok, port} = :inet.port(l)
spawn(fn -> Svc.accept(l) end)
open = fn -> {:ok, s} = :gen_tcp.connect({127, 0, 0, 1}, port, [:binary, active: false, nodelay: true]); s end
t0 = System.monotonic_time(:millisecond)
sum =
  if System.argv() == [] do
    s = open.()
    Enum.sum(for n <- 1..250, do: Svc.ask(s, n))
  else
    1..250 |> Enum.chunk_every(5)
    |> Enum.map(fn ns -> Task.async(fn -> s = open.(); Enum.sum(for n <- ns, do: Svc.ask(s, n)) end) end)
    |> Task.await_many() |> Enum.sum()
  end
IO.puts("sum=#{sum} asks=250 ms=#{System.monotonic_time(:millisecond) - t0}")
