The messages between all that is called the same, as the table of pairs of processes has them: by SQL on that table, and
by message_by, which puts all beyond `most` pairs into one row. strobe diff lists 5,000 pairs of a run; the others count
for the whole alone.
--- run
awk 'BEGIN {
    print "@meta node=n@h schedulers=1 recorded=procs,messages"
    for (i = 1; i <= 100; i++)
        printf "0 <0.%d.0> s1 spawned parent=<0.%d.0> mfa=m:f%d/0\n", 99 + i, (i > 90 ? 999 : 99), (i > 90 ? 0 : i)
    print "1us <0.100.0> s1 register name=shop"
    for (i = 0; i < 100; i++) for (k = 0; k < 80; k++)
        for (n = (i * k) % 3; n >= 0; n--)
            printf "2us <0.%d.0> s1 send to=<0.%d.0> words=%d hash=1\n", 100 + i, 100 + k, 1 + (i * 7 + k) % 50
    for (n = 0; n < 500; n++) print "3us <0.100.0> s1 send to=<0.101.0> words=9 hash=1"
}' > T.txt
$STROBE analyze T.txt > log
for by in count total_words; do
    $STROBE query T.sbp --format csv "WITH called(id, label) AS MATERIALIZED (SELECT p.id, CASE WHEN g.processes = 1 THEN
        coalesce(p.name, p.label, p.entry, '(unknown)') ELSE coalesce(p.entry, '(unknown)') END FROM process p LEFT JOIN
        process_group g ON g.id = p.group_id) SELECT a.label, b.label, sum(e.$by) FROM message_edge e JOIN called a ON
        a.id = e.sender JOIN called b ON b.id = e.receiver GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2" | tail -n +2 > truth.csv
    $STROBE query T.sbp --format csv "SELECT * FROM message_by('$by') ORDER BY 3 DESC, 1, 2" | tail -n +2 > rows.csv
    cmp truth.csv rows.csv && wc -l < rows.csv
done
$STROBE query T.sbp "SELECT * FROM message_by('count', 1)"
$STROBE query T.sbp "SELECT sum(value), (SELECT sum(count) FROM message_edge) FROM message_by('count', 20)"
$STROBE diff T.sbp T.sbp --limit 0 --format csv | grep '^message' | cut -d, -f1-5,7
$STROBE query T.sbp "SELECT * FROM message_by('size')"
--- out
7280
7280
sender  receiver   value
shop    m:f2/0       501
--      --        13,246
sum(value)  (SELECT sum(count) FROM message_edge)
    13,747                                 13,747
messages,shop -> m:f2/0,count,501,501,0.0364443151232996
message_words,shop -> m:f2/0,words,4502,4502,0.0131410340610232
--- exit 1
