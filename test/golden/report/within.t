A range of time counts the same things as the whole run: sends of ports belong to no pair, and the largest heap may follow a collection.
--- trace
@meta node=a@h creation=1 recorded=procs,messages,gc,ports
1us #Port<0.1> s1 send to=<0.5.0> words=3
2us <0.6.0> s1 send to=<0.5.0> words=4
3us <0.5.0> s1 gc_minor_start heap=10
4us <0.5.0> s1 gc_minor_end heap=50
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
for t in "" "--since 0ns"; do
    $STROBE report T.sbp messages $t --format csv | cut -d, -f1-4
    $STROBE report T.sbp gc $t --format json | grep peak
done
--- out
sender,receiver,count,total_words
<0.6.0>,<0.5.0>,1,4
    "peak_heap_words": 50,
sender,receiver,count,total_words
<0.6.0>,<0.5.0>,1,4
    "peak_heap_words": 50,
