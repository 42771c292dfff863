defmodule Mix.Tasks.Strobe.Serve do
  use Mix.Task

  @shortdoc "Shows a strobe trace as a web page"

  @moduledoc """
  Shows a trace, or several traces, as a web page until Ctrl-C.

      mix strobe.serve                         # strobe.sbt
      mix strobe.serve t.sbt --port 8080
  """

  @impl true
  def run(args) do
    Mix.Task.run("loadpaths")
    {opts, files} = OptionParser.parse!(args, strict: [port: :integer])
    files = if files == [], do: ["strobe.sbt"], else: files

    with {:ok, _} <- Strobe.analyze(files),
         {:ok, _} <- Strobe.start_webserver(Keyword.get(opts, :port, 0)) do
      Process.sleep(:infinity)
    else
      {:error, why} -> Mix.raise("strobe: #{if is_list(why), do: why, else: inspect(why)}")
    end
  end
end
