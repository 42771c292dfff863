One call of a function cannot outlast the time limit: it makes no text of gigabytes.
--- trace
0    <0.5.0> 1 in mfa=m:f/0
9us  <0.5.0> 1 exit reason=normal
--- run
$STROBE analyze T.txt -o P.sbp > log
for sql in "printf('%.*c', 200000000, 'x')" "zeroblob(300000000)" "replace(printf('%.*c', 3000000, 'x'), 'x', 'xx')"; do
    $STROBE query P.sbp "SELECT length($sql)" --timeout 1s 2>&1
done
$STROBE query P.sbp "SELECT 'a' LIKE printf('%.*c', 2000, '%')" 2>&1
$STROBE query P.sbp "SELECT length(printf('%.*c', 3000000, 'x')) AS n" --format csv
--- out
length(printf('%.*c', 200000000, 'x'))
                                    --
strobe: SQL: string or blob too big
strobe: SQL: string or blob too big
strobe: SQL: LIKE or GLOB pattern too complex
n
3000000
