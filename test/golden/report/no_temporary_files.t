A statement that sorts more than memory holds needs a temporary file: where none can be written, that is said.
--- run
printf '@meta node=a@h creation=2 schedulers=1\n1000 <0.9.0> s1 in mfa=shop:main/0\n2000 <0.9.0> s1 out mfa=shop:main/0\n' > T.txt
$STROBE analyze T.txt > /dev/null
sort="WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 400000) SELECT count(*) AS n FROM (SELECT x * 7919 % 1000003 AS y FROM c GROUP BY 1)"
(ulimit -f 100; TMPDIR=. $STROBE query T.sbp "$sort" 2>&1)
$STROBE query T.sbp "$sort" --format csv
--- out
strobe: SQL: the temporary files cannot be written (disk I/O error): see that SQLITE_TMPDIR, TMPDIR or /var/tmp has room, and what ulimit -f allows
n
400000
