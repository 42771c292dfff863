A mistake on the command line ends with exit status 2 and one line that says where to look.
--- run
$STROBE
$STROBE nonsense
$STROBE --version | head -n 1 | sed 's/[0-9.]*$/N/'
$STROBE nonsense --help
--- out
strobe N
--- err
strobe: record what a BEAM program does, and show it

  strobe record -o t.sbt -- mix test
      run a command and record every BEAM that it starts
  strobe report strobe.sbp processes --sort runnable --limit 10
      answer questions about a profile: summary, why, critical, processes, messages, ...
  strobe serve strobe.sbp
      show a profile as a web page
  strobe attach shop@here --duration 5s -o shop.sbt
      record a node that is running already, with nothing installed there

strobe: no command given: see strobe --help
strobe: unknown command 'nonsense': see strobe --help
strobe: unknown command 'nonsense': see strobe --help
--- exit 2
