Limits on the findings, the account, the critical path and the servers: what a CI run fails on.
--- copy shop.txt
--- run
ask() { $STROBE report T.txt "$@" > /dev/null 2>> err; echo "$1 $3: exit $?"; }
$STROBE analyze T.txt 2> log > log
ask findings --fail-on 'gain_ns > 100us'
ask findings --fail-on 'gain_ns > 1ms'
ask findings --fail-on 'confidence = high'
ask why --fail-on 'part = preempted'
ask why --fail-on 'share >= 55.09'
ask why --fail-on 'share >= 55'
ask why --fail-on 'share > most'
ask why --fail-on 'ns > 1s'
ask critical --fail-on 'kind = queue'
ask critical --fail-on 'ns > 10ms'
ask servers --fail-on 'utilisation > 99%'
ask servers --fail-on 'clients > 0'
ask findings --fail-on 'gain_ns > a lot'
cat err
--- out
findings gain_ns > 100us: exit 3
findings gain_ns > 1ms: exit 0
findings confidence = high: exit 0
why part = preempted: exit 0
why share >= 55.09: exit 0
why share >= 55: exit 3
why share > most: exit 2
why ns > 1s: exit 0
critical kind = queue: exit 3
critical ns > 10ms: exit 0
servers utilisation > 99%: exit 0
servers clients > 0: exit 0
findings gain_ns > a lot: exit 2
strobe: limit crossed: gain_ns > 100us: row 1: gain_ns = 175 us
strobe: limit crossed: share >= 55: row 1: share = 55.1
strobe: 'most' is not a valid value for share
strobe: limit crossed: kind = queue: row 2: kind = queue
strobe: 'a lot' is not a time: write 1.5s, 20ms or nanoseconds
