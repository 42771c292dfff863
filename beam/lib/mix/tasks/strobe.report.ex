defmodule Mix.Tasks.Strobe.Report do
  use Mix.Task

  @shortdoc "Prints what a strobe trace shows"

  @moduledoc """
  Prints an answer from a trace or a profile.

      mix strobe.report                        # the summary of strobe.sbt
      mix strobe.report t.sbt waits --limit 20
      mix strobe.report --help

  Everything is passed to `strobe report`; names are shown as Elixir writes them.
  """

  @impl true
  def run(args) do
    Mix.Task.run("loadpaths")

    {file, rest} = file(args)

    case Strobe.report(file, rest) do
      :ok -> :ok
      {:error, why} -> Mix.raise("strobe: #{if is_list(why), do: why, else: inspect(why)}")
    end
  end

  defp file([<<first, _::binary>> = file | rest]) when first != ?-, do: {file, rest}
  defp file(options), do: {"strobe.sbt", options}
end
