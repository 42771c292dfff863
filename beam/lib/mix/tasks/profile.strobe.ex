defmodule Mix.Tasks.Profile.Strobe do
  use Mix.Task

  @shortdoc "Profiles code with strobe"

  @moduledoc """
  Profiles a script or an expression with strobe.

      mix profile.strobe -e "Enum.map(1..1000, &Integer.to_string/1)"
      mix profile.strobe my_script.exs arg1
      mix profile.strobe --type time --sort calls -e "MyApp.job()"
      mix profile.strobe --against last_release -e "MyApp.job()"

  ## What is measured: `--type`

    * `trace` (default) - everything that happens while the code runs, into `strobe.sbt`: which process ran where and
      when, who waited, who sent what to whom, garbage collection. Prints the summary.
    * `time` - own time of every function, by counters
    * `calls` - how often every function is called, by counters
    * `memory` - the words every function takes on the heap, by counters (OTP 26 or later)

  ## Options

    * `--eval`, `-e` CODE - evaluate this, instead of a script
    * `--require`, `-r` PATTERN - require files first
    * `--parallel`, `-p` - with `-r`, require them in parallel
    * `--matching` PATTERN - only functions like `Enum`, `Enum.map` or `Enum.map/2`; for `trace`, trace their calls too
    * `--calls` N - leave out functions called less often; `--limit` N is the same, as in `mix profile.cprof`
    * `--time` N - leave out functions with less own time, in microseconds
    * `--memory` N - leave out functions with fewer words
    * `--sort` `time|calls|memory|mfa` - the column to sort by; `time` and `memory` are the column that is measured
    * `--output`, `-o` FILE - where the trace goes
    * `--runs` N - record N runs, 1.sbt, 2.sbt, ... in the folder `--output` (`strobe-runs`), and print mean and spread
    * `--against` DIR - compare them with the runs in DIR, by `strobe diff`: five runs, unless `--runs` says otherwise
    * `--fail-over` N% - with `--against`: exit with 3 if something costs more than N % more, beyond the noise
    * `--no-warmup` - don't run the code once before
    * `--no-start` - don't start the application
    * `--no-compile`, `--no-deps-check`, `--no-archives-check` - as elsewhere in mix
  """

  @switches [
    eval: :keep,
    require: :keep,
    parallel: :boolean,
    matching: :string,
    calls: :integer,
    limit: :integer,
    time: :integer,
    memory: :integer,
    sort: :string,
    type: :string,
    output: :string,
    runs: :integer,
    against: :string,
    fail_over: :string,
    warmup: :boolean,
    start: :boolean,
    compile: :boolean,
    deps_check: :boolean,
    archives_check: :boolean,
    elixir_version_check: :boolean
  ]
  @aliases [e: :eval, r: :require, p: :parallel, o: :output]

  @impl true
  def run(args) do
    {opts, argv} = OptionParser.parse_head!(args, strict: @switches, aliases: @aliases)
    type = Keyword.get(opts, :type, "trace")
    type == "trace" || !(opts[:runs] || opts[:against]) || Mix.raise("--runs and --against are of --type trace")
    profile = profiler(type) || Mix.raise("--type takes trace, time, calls or memory, not #{inspect(type)}")
    Keyword.get(opts, :sort, "time") in ~w(time calls memory mfa) ||
      Mix.raise("--sort takes time, calls, memory or mfa")

    prepare(opts)
    code = code(opts, argv)
    matching = matching(opts[:matching])
    if Keyword.get(opts, :warmup, true), do: code.()
    profile.(code, matching, opts)
  end

  defp profiler("trace"), do: &trace/3
  defp profiler(type) when type in ~w(time calls memory), do: &counters(String.to_atom(type), &1, &2, &3)
  defp profiler(_), do: nil

  defp prepare(opts) do
    skipped = for {key, false} <- opts, key in ~w(start compile deps_check archives_check)a, do: switch(key)
    Mix.Task.run("app.start", skipped)

    for pattern <- Keyword.get_values(opts, :require) do
      files = Path.wildcard(pattern)
      files != [] || Mix.raise("No files matched pattern #{inspect(pattern)} given to --require")
      if opts[:parallel], do: Kernel.ParallelCompiler.require(files), else: Enum.each(files, &Code.require_file/1)
    end
  end

  defp switch(key), do: "--no-" <> String.replace(Atom.to_string(key), "_", "-")

  defp code(opts, argv) do
    case {Keyword.get_values(opts, :eval), argv} do
      {[], []} ->
        Mix.raise("mix profile.strobe takes a script, or code by -e: see mix help profile.strobe")

      {[], [script | rest]} ->
        File.regular?(script) || Mix.raise("No such file: #{script}")
        System.argv(rest)
        fn -> Code.eval_file(script) end

      {evals, rest} ->
        System.argv(rest)
        fn -> Enum.each(evals, &Code.eval_string/1) end
    end
  end

  defp matching(nil), do: nil

  defp matching(text) do
    case Mix.Utils.parse_mfa(text) do
      {:ok, [m, f, a]} -> {m, f, a}
      {:ok, [m, f]} -> {m, f, :_}
      {:ok, [m]} -> {m, :_, :_}
      :error -> Mix.raise("--matching takes Module, Module.function or Module.function/arity, not #{inspect(text)}")
    end
  end

  defp trace(code, matching, opts) do
    if opts[:runs] || opts[:against] do
      runs(code, matching, opts)
    else
      file = Keyword.get(opts, :output, "strobe.sbt")
      IO.puts("#{record(file, code, matching)} events in #{file}\n")
      report(file)
    end
  end

  defp runs(code, matching, opts) do
    dir = Keyword.get(opts, :output, "strobe-runs")
    {n, before} = {Keyword.get(opts, :runs, 5), opts[:against]}
    n > 0 || Mix.raise("--runs takes a number of runs, not #{n}")
    !before || File.exists?(before) || Mix.raise("No such folder of runs: #{before}")
    Path.wildcard(Path.join(dir, "*.sbt")) == [] ||
      Mix.raise("#{dir} has runs already: name another folder with -o, or remove them")

    File.mkdir_p!(dir)
    for i <- 1..n, do: record(Path.join(dir, "#{i}.sbt"), code, matching)
    limit = if over = opts[:fail_over], do: ["--fail-over", over], else: []

    case :strobe_program.run(["diff"] ++ List.wrap(before) ++ [dir] ++ limit) do
      {:error, :no_strobe_program} -> Mix.raise(to_string(:strobe_program.missing()))
      {0, text} -> IO.puts(text)
      {code, text} -> IO.puts(text) && exit({:shutdown, code})
    end
  end

  defp record(file, code, matching) do
    case :strobe.profile(String.to_charlist(file), code, calls(matching)) do
      {:ok, _value, %{events: events}} ->
        events

      {:error, {class, reason, stack}} when class in [:error, :exit, :throw] ->
        :erlang.raise(class, reason, stack)

      {:error, reason} ->
        Mix.raise("strobe could not record: #{inspect(reason)}")
    end
  end

  defp calls(nil), do: []
  defp calls({m, :_, :_}), do: [modules: [m]]
  defp calls(mfa), do: [functions: [mfa]]

  defp report(file) do
    case Strobe.report(file, ["--brief"]) do
      {:error, text} when text != :no_strobe_program -> Mix.shell().error(text)
      _ -> IO.puts("\nLook at it with: #{:strobe_program.command(~c"report")} #{file}")
    end
  end

  defp counters(type, code, matching, opts) do
    case Strobe.Counters.run(type, code, matching || {:_, :_, :_}) do
      {:ok, _value, rows} -> IO.puts(Strobe.Counters.table(type, rows, opts))
      {:error, :needs_otp_26} -> Mix.raise("--type memory needs OTP 26 or later")
    end
  end
end
