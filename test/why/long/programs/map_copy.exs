# The whole catalogue is sent with each job. Cured: only the entry that the job needs.
catalogue = Map.new(1..4000, fn n -> {n, %{name: "item #{n}", price: n, tags: [n, n + 1, n + 2]}} end)
cured = System.argv() != []
parent = self()
workers =
  for w <- 1..4 do
    spawn_link(fn ->
      loop = fn loop, n ->
        receive do
          {:job, k, data} ->
            price = if is_map_key(data, :price), do: data.price, else: data[k].price
            loop.(loop, n + price)
          :stop -> send(parent, {:sum, w, n})
        end
      end
      loop.(loop, 0)
    end)
  end
for k <- 1..1000 do
  w = Enum.at(workers, rem(k, 4))
  send(w, {:job, k, if(cured, do: catalogue[k], else: catalogue)})
end
for w <- workers, do: send(w, :stop)
sum = for(w <- 1..4, do: receive(do: ({:sum, ^w, n} -> n))) |> Enum.sum()
IO.puts("sum=#{sum} words_each=#{:erts_debug.flat_size(catalogue)} jobs=1000")
