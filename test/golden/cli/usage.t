A mistake on the command line ends with exit status 2 and one line that says where to look.
--- run
$STROBE
$STROBE nonsense
$STROBE --version | head -n 1 | sed 's/[0-9.]*$/N/'
$STROBE nonsense --help
--- out
strobe N
--- err
strobe: no command given: see strobe --help
strobe: unknown command 'nonsense': see strobe --help
strobe: unknown command 'nonsense': see strobe --help
--- exit 2
