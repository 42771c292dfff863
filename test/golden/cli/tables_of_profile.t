--- copy ../report/shop.txt
--- run
$STROBE query T.txt --tables --format csv > counted
grep -e ^process, -e ^message, -e ^port, -e ^timeline, -e ^table counted | cut -d, -f1,2
# each number is what SQL counts
for table in $($STROBE query --tables --format csv | tr -d '\r' | awk -F, '$3 == "table" { print $1 }'); do
    rows=$($STROBE query T.txt "SELECT count(*) FROM \"$table\"" --format csv | tail -n 1 | tr -d '\r')
    grep -q "^$table,$rows," counted && agree="$agree $table" || echo "$table has $rows"
done
echo $agree | tr ' ' '\n' | grep -c -x -e process -e slice -e meta -e loss
$STROBE query T.txt process --tables
--- out
table,rows
process,2
message,2
port,0
timeline,
4
--- err
strobe: --tables takes a table or a profile: see strobe query --help
--- exit 2
