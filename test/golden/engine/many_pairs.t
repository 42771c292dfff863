Where most pairs of processes exchange few messages, the profile leaves table message_edge out, and it is computed from
the messages: the same edges as SQL adds up, in the order of both ends; so are migrations, from one slice to the next.
--- run
awk 'BEGIN {
    print "@meta node=n@h schedulers=2 recorded=procs,messages,running"
    for (i = 0; i < 70; i++) printf "0 <0.%d.0> s1 spawned parent=<0.99.0> mfa=m:f/0\n", 100 + i
    for (i = 0; i < 70; i++) for (k = 0; k < 70; k++) for (n = (i * k) % 3; n >= 0; n--) {
        at += 8
        printf "%d <0.%d.0> s1 send to=<0.%d.0> words=%d hash=%x%s\n", at, 100 + i, 100 + k, 1 + (i * 7 + k) % 50,
            i * 70 + k + 1, i == 3 ? " at_least" : ""
        if (k % 2) printf "%d <0.%d.0> s2 receive words=%d hash=%x\n", at + n * 1000, 100 + k, 1 + (i * 7 + k) % 50, i * 70 + k + 1
    }
    for (n = 0; n < 9; n++) {
        printf "%d <0.101.0> s%d in mfa=m:f/0\n", 2000000 + n * 10, 1 + n % 4 % 2
        printf "%d <0.101.0> s%d out mfa=m:f/0\n", 2000005 + n * 10, 1 + n % 4 % 2
    }
}' > T.txt
$STROBE analyze T.txt > log
truth="SELECT sender, receiver, count(*), sum(words), max(words), sum(ext_bytes), count(received), sum(received - sent),
    max(received - sent), min(sent), max(sent), sum(at_least) FROM message GROUP BY 1, 2"
for order in 'e EXCEPT SELECT * FROM t' 't EXCEPT SELECT * FROM e'; do
    $STROBE query T.sbp --format csv "WITH e AS (SELECT * FROM message_edge), t AS ($truth) SELECT count(*) FROM (SELECT * FROM $order)"
done
$STROBE query T.sbp "SELECT count(*), sum(count), sum(matched), sum(at_least) FROM message_edge"
$STROBE query T.sbp "SELECT * FROM message_edge WHERE sender BETWEEN 3 AND 4 AND receiver BETWEEN 4 AND 6"
$STROBE query T.sbp "SELECT * FROM migration"
$STROBE query T.sbp "SELECT sum(migrations) FROM process"
--- out
count(*)
0
count(*)
0
count(*)  sum(count)  sum(matched)  sum(at_least)
   4,900       8,074         4,037             70
sender  receiver  count  total_words  max_words  total_ext_bytes  matched  latency_ns  max_latency_ns       first        last  at_least
     3         4      3           30         10               --        0          --              --  0.000001 s  0.000001 s         0
     3         5      1           11         11               --        1        0 ns            0 ns  0.000001 s  0.000001 s         0
     3         6      2           24         12               --        0          --              --  0.000001 s  0.000001 s         0
     4         4      2           34         17               --        0          --              --  0.000002 s  0.000002 s         0
     4         5      1           18         18               --        1        0 ns            0 ns  0.000002 s  0.000002 s         0
     4         6      3           57         19               --        0          --              --  0.000002 s  0.000002 s         0
process          at  from_scheduler  to_scheduler
      3  0.002000 s               1             2
      3  0.002000 s               2             1
      3  0.002000 s               1             2
      3  0.002000 s               2             1
      3  0.002000 s               1             2
      3  0.002000 s               2             1
      3  0.002000 s               1             2
      3  0.002000 s               2             1
sum(migrations)
              8
