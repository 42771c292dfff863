# Every row is printed on its own. Cured: one iolist.
rows = for n <- 1..20_000, do: {n, rem(n * 7919, 1009)}
case System.argv() do
  [] -> Enum.each(rows, fn {a, b} -> IO.puts("#{a};#{b}") end)
  _ -> IO.puts(Enum.map(rows, fn {a, b} -> "#{a};#{b}\n" end))
end
IO.puts("rows=20000")
