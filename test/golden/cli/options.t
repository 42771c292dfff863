The forms of an option: --name value, --name=value, -o value, -ovalue; before or after the operands; -h and --help
anywhere, but not among the words of a command to run, nor as the value of an option.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
5us <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -oT1.sbp > log && $STROBE analyze -o T2.sbp T.txt > log && $STROBE analyze -o=T3.sbp -- T.txt > log
cmp T1.sbp T2.sbp && cmp T1.sbp T3.sbp
$STROBE report --limit=1 T1.sbp processes --sort=start --format csv | cut -d, -f1
$STROBE merge -h | head -n 1
$STROBE merge T1.sbp -h | head -n 1
$STROBE help report > a; $STROBE report --help > b; cmp a b
$STROBE help > a; $STROBE --help > b; $STROBE -h > c; cmp a b && cmp a c && tail -n 2 a
$STROBE -V > a; $STROBE version > b; $STROBE --version > c; cmp a b && cmp a c
$STROBE count -o nowhere/x -- echo -h; $STROBE dump T.txt -o --help && ls -- --help
$STROBE analyze T.txt --threads
$STROBE report T1.sbp --elixir=yes
--- out
process
<0.5.0>
strobe merge: merge several profiles into one
strobe merge: merge several profiles into one
--fail-on limit was crossed. Commands that run another command end with its exit
code.
--help
--- err
strobe: -o nowhere/x: no file can be written there: see strobe count --help
strobe: --threads needs a value: see strobe analyze --help
strobe: --elixir takes no value: see strobe report --help
--- exit 2
