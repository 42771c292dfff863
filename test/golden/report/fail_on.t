Limits for CI: a crossed one is a line on stderr and exit 3; every row counts, also those that are not shown.
--- trace
@meta schedulers=2
0     <0.80.0>  s1  in    mfa=shop:main/0
100us <0.81.0>  s2  in    mfa=till:loop/1
200us <0.81.0>  s2  out   mfa=till:loop/1
300us <0.80.0>  s1  out   mfa=shop:main/0
--- run
ask() { $STROBE report T.txt "$@" > /dev/null; echo "exit $?"; }
$STROBE analyze T.txt 2> log > log
ask --fail-on 'length > 1ms' --fail-on 'lost > 0' --fail-on 'too_few_to_run < 5%'
ask --fail-on 'length > 100us' --fail-on 'processes=2'
ask processes --limit 1 --fail-on 'run_ns <= 100us'
ask processes --fail-on 'pid = <0.81.0>'
ask --fail-on 'messages > 3'
ask --fail-on 'lentgh > 3'
ask processes --fail-on 'colour > 3'
ask --fail-on 'length > fast'
ask --fail-on 'length'
--- out
exit 0
exit 3
exit 3
exit 3
exit 1
exit 2
exit 2
exit 2
exit 2
--- err
strobe: limit crossed: length > 100us: 300 us
strobe: limit crossed: processes=2: 2
strobe: limit crossed: run_ns <= 100us: row 2: run_ns = 100 us
strobe: limit crossed: pid = <0.81.0>: row 2: pid = <0.81.0>
strobe: --fail-on 'messages > 3': the value is unknown in this profile
strobe: the summary has no item 'lentgh'
strobe: unknown column 'colour'
strobe: 'fast' is not a time: write 1.5s, 20ms or nanoseconds
strobe: --fail-on expects NAME OP VALUE, such as 'lost > 0', not 'length': see strobe report --help
