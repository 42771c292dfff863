defmodule Strobe.MixProject do
  use Mix.Project

  @version "0.1.0"
  @beam Path.join(__DIR__, "beam")

  def project do
    [
      app: :strobe,
      version: @version,
      elixir: "~> 1.11",
      elixirc_paths: [here("lib")],
      erlc_paths: [here("src")],
      compilers: [:strobe_native | Mix.compilers()],
      description: "A concurrency and performance profiler for the BEAM",
      package: package(),
      docs: [main: "readme", extras: ["beam/README.md", "COOKBOOK.md"]],
      aliases: ["hex.build": [&page/1, "hex.build"], "hex.publish": [&page/1, "hex.publish"]],
      deps: []
    ]
  end

  def application, do: [extra_applications: []]

  # The checkout can be depended on as it is, and so can its folder beam.
  defp here(folder), do: Path.relative_to_cwd(Path.join(@beam, folder))

  defp package do
    [
      licenses: ["Apache-2.0"],
      links: %{},
      files:
        ~w(mix.exs rebar.config Makefile meson.build meson_options.txt LICENSE NOTICE README.md COOKBOOK.md FORMAT.md) ++
          ~w(beam/src beam/lib beam/c_src beam/README.md beam/Makefile beam/program beam/page_assets.c src tools)
    ]
  end

  # The page is made here, so that whoever takes the package needs no node.
  defp page(_), do: {_, 0} = System.cmd("tools/page", ["beam/page_assets.c"])
end

defmodule Mix.Tasks.Compile.StrobeNative do
  @moduledoc "Builds the NIF and the drain with make; needs a C compiler."
  use Mix.Task.Compiler

  @impl true
  def run(_args) do
    jobs = "-j#{System.schedulers_online()}"
    out = ["OUT=#{shared()}", "TO=#{Mix.Project.app_path()}"]
    args = ["-s", jobs, "-C", Path.join(__DIR__, "beam")] ++ out ++ ["priv"]
    env = [{"ERLANG_ROOT_DIR", to_string(:code.root_dir())}]

    case System.cmd("make", args, env: env, stderr_to_stdout: true) do
      {"", 0} ->
        :ok

      {text, 0} ->
        Mix.shell().info(String.trim(text))

      {text, _} ->
        Mix.shell().error(text)
        {:error, []}
    end
  rescue
    ErlangError ->
      Mix.shell().error("strobe needs make and a C compiler: install them (Debian: make, gcc)")
      {:error, []}
  end

  # All environments take what is built here once, for each release of OTP and each target.
  defp shared do
    if System.get_env("MIX_BUILD_PATH"),
      do: Mix.Project.app_path(),
      else: Path.expand("../strobe-#{Mix.target()}-otp#{System.otp_release()}", Mix.Project.build_path())
  end
end
