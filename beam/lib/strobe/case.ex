defmodule Strobe.Case do
  @moduledoc """
  Tests that are recorded, and whose trace is kept when they fail or are slow.

      defmodule MyTest do
        use ExUnit.Case
        use Strobe.Case, slow: 500, dir: "traces"

        recorded_test "a slow request" do
          assert MyApp.request() == :ok
        end
      end

  `recorded_test` is ExUnit's `test` with a recording around its body. The trace is `DIR/MODULE-TEST.sbt`; it is deleted
  when the test passes in less than `:slow` milliseconds (default 1000), else the test run says where it is. Further
  options go to `:strobe.profile/3`. A node makes one recording at a time: beside another recorded test, or under
  `strobe record`, the test runs unrecorded, and the first such test prints why.
  """

  defmacro __using__(opts) do
    quote do
      import Strobe.Case, only: [recorded_test: 2, recorded_test: 3]
      @strobe_case unquote(opts)
    end
  end

  @doc "A `test` whose body is recorded."
  defmacro recorded_test(message, context \\ quote(do: _), do: block) do
    quote do
      test unquote(message), unquote(context) do
        Strobe.Case.record(inspect(__MODULE__) <> "-" <> unquote(message), @strobe_case, fn -> unquote(block) end)
      end
    end
  end

  @doc "Runs `fun` under a recording named after `name`; keeps it when `fun` fails or is slow."
  @spec record(String.t(), keyword, (() -> value)) :: value when value: term
  def record(name, opts, fun) do
    :strobe_test.record(String.to_charlist(name), Enum.map(opts, &charlist/1), fun)
  end

  defp charlist({:dir, dir}), do: {:dir, String.to_charlist(dir)}
  defp charlist(option), do: option
end
