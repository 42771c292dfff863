# A log file is read line by line with IO.read from a file process. Cured: File.stream! (raw, read ahead).
path = Path.join(System.tmp_dir!(), "lines.#{System.pid()}")
File.write!(path, for(n <- 1..30_000, do: "#{n} GET /item/#{n} 200\n"))
n =
  case System.argv() do
    [] ->
      {:ok, f} = File.open(path, [:read])
      count = fn count, n -> if IO.binread(f, :line) == :eof, do: n, else: count.(count, n + 1) end
      count.(count, 0)
    _ -> path |> File.stream!() |> Enum.count()
  end
File.rm!(path)
IO.puts("lines=#{n}")
