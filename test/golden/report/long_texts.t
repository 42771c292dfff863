One call of a function cannot outlast the time limit, whatever its texts are.
--- trace
0    <0.5.0> 1 in mfa=m:f/0
9us  <0.5.0> 1 exit reason=normal
--- run
$STROBE analyze T.txt -o P.sbp > log
ask() { $STROBE query P.sbp "SELECT $1 AS it" --timeout 20s --format csv 2>&1; }
ask "length(printf('%.*c', 2000000000, 'x'))"
ask "length(printf('%2000000000d', 1))"
ask "length(zeroblob(300000000))"
ask "length(replace(printf('%.*c', 3000000, 'x'), printf('%.*c', 1000, 'x'), printf('%.*c', 2000, 'x')))"
ask "'a' LIKE printf('%.*c', 2000, '%')"
ask "trim('aa', printf('%.*c', 300, 'a'))"
ask "json_patch('{}', '{}')"
ask "length(printf('%.*c', 3000000, 'x'))"
# a million places where half a million characters nearly match
ask "instr(printf('%.*c', 4000000, 'a'), printf('%.*c', 2000000, 'a') || 'b')"
ask "length(replace(printf('%.*c', 4000000, 'a'), printf('%.*c', 2000000, 'a') || 'b', ''))"
# 2^30 copies of one table
nested="a0(x) AS (SELECT 1)"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    nested="$nested, a$i AS (SELECT p.x FROM a$((i - 1)) p, a$((i - 1)) q)"
done
$STROBE query P.sbp "WITH $nested SELECT count(*) FROM a30" --timeout 20s 2>&1
--- out
strobe: SQL: string or blob too big
strobe: SQL: string or blob too big
strobe: SQL: string or blob too big
strobe: SQL: string or blob too big
strobe: SQL: LIKE or GLOB pattern too complex
strobe: SQL: trim: the set of characters is longer than 200 bytes
strobe: SQL: the function json_patch is switched off: leave it out: one call of it can outlast every time limit, load code or show addresses
it
3000000
it
0
it
4000000
strobe: SQL: the statement takes more than 256 MB
--- exit 3
