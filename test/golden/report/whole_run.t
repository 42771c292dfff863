What counts the whole run, or all processes, says so instead of leaving out that less was asked for.
--- copy shop.txt
--- run
for s in summary tree top waits nodes stacks; do $STROBE report T.txt $s --since 1ms; done
for s in summary tree nodes schedulers activity; do $STROBE report T.txt $s --process '<0.80.0>'; done
--- out
--- err
strobe: the numbers of summary are of the whole run, --since and --until can't narrow them: strobe report P activity --since T --until T shows how many ran then
strobe: the numbers of tree are of the whole run, --since and --until can't narrow them: strobe report P processes --since T --until T shows how long each was what then
strobe: the numbers of top are of the whole run, --since and --until can't narrow them: strobe report P processes --since T --until T shows how long each was what then
strobe: the numbers of waits are of the whole run, --since and --until can't narrow them: strobe report P processes --since T --until T shows how long each waited then
strobe: the numbers of nodes are of the whole run, --since and --until can't narrow them: strobe report P messages --since T --until T shows who sent to whom then
strobe: the numbers of stacks are of the whole run, --since and --until can't narrow them: a sample is only counted, not dated
strobe: the numbers of summary are of all processes, --process can't narrow them: strobe report P processes --process P shows one
strobe: the numbers of tree are of all processes, --process can't narrow them: strobe report P processes --process P shows one
strobe: the numbers of nodes are of all processes, --process can't narrow them: strobe report P processes --process P shows one
strobe: the numbers of schedulers are of all processes, --process can't narrow them: strobe report P processes --process P shows one
strobe: the numbers of activity are of all processes, --process can't narrow them: strobe report P processes --process P shows one
--- exit 2
