--- trace
@meta node=shop@a wall
1764300000000000000  <0.80.0>  s1  in        mfa=shop:main/0
1764300000000010000  <0.80.0>  s1  out       mfa=shop:main/0
--- run
grep -v '^@' T.txt | sed s/17643000000000/0/ > timeless.txt # no wall clock, no name of a node
try() { "$STROBE" export "$@" >said 2>&1; code=$?; sed -E 's/run=r[0-9a-f]{16}/run=R/' said; echo "exit $code"; }
to="--to parquet --dataset"
try T.txt timeless.txt T.txt $to D/ --label service=shop --label 'rel=1/2 é..%'
cat D/_strobe_dataset
find D -mindepth 5 -maxdepth 5 | wc -l
try T.txt $to D --label service=shop
try T.txt $to D --label rel=1 --label service=shop
sed -i 's/schema 1/schema 7/' D/_strobe_dataset
try T.txt $to D --label service=shop --label rel=1
echo nonsense > D/_strobe_dataset
try T.txt $to D --label service=shop --label rel=1
try T.txt $to .
try T.txt $to T.txt
try T.txt $to no/such/folder
try none.sbp $to E
for label in service =x service= 'a
b=c' ../../x=y kind=x NODE=x run=x "$(printf 'a=\377')" a=__HIVE_DEFAULT_PARTITION__ \
    "a=$(printf %0300d 1)"; do
    try T.txt $to F --label "$label"
done
try T.txt $to E --label a=1 --label A=2
try T.txt --to parquet --label a=1
try T.txt --to csv --dataset E
try T.txt $to E --since 1us
try T.txt timeless.txt --to parquet
find E
--- out
strobe: timeless.txt: the wall clock of the recording is unknown, so its date is NULL
D/service=shop/rel=1%2F2 é..%25/date=2025-11-28/node=shop@a/run=R
D/service=shop/rel=1%2F2 é..%25/date=__HIVE_DEFAULT_PARTITION__/node=__HIVE_DEFAULT_PARTITION__/run=R
D/service=shop/rel=1%2F2 é..%25/date=2025-11-28/node=shop@a/run=R
exit 0
strobe dataset, schema 1, labels: service rel
2
strobe: D: partitions of the dataset have the labels: service rel: give the same, in this order
exit 2
strobe: D: partitions of the dataset have the labels: service rel: give the same, in this order
exit 2
strobe: D: the dataset has schema 7, and this strobe writes schema 1: name a new folder, or use the strobe that made it
exit 1
strobe: D: _strobe_dataset is damaged
exit 1
strobe: .: the folder has files and is no dataset of strobe: name a new folder
exit 1
strobe: T.txt: cannot open the folder: Not a directory
exit 1
strobe: no/such/folder: cannot create the folder: No such file or directory
exit 1
strobe: none.sbp: cannot open it: No such file or directory: check the name
exit 1
strobe: --label takes KEY=VALUE, such as service=shop, and KEY is a word, not 'service'
exit 2
strobe: --label takes KEY=VALUE, such as service=shop, and KEY is a word, not '=x'
exit 2
strobe: --label takes KEY=VALUE, such as service=shop, and KEY is a word, not 'service='
exit 2
strobe: --label takes KEY=VALUE, such as service=shop, and KEY is a word, not 'a?b=c'
exit 2
strobe: --label takes KEY=VALUE, such as service=shop, and KEY is a word, not '../../x=y'
exit 2
strobe: the label 'kind' would hide a column of table slice: name it otherwise
exit 2
strobe: each partition has a NODE already: name the label otherwise
exit 2
strobe: each partition has a run already: name the label otherwise
exit 2
strobe: the value of --label a is no UTF-8 text
exit 2
strobe: the value of --label a would read as NULL
exit 2
strobe: the name of the folder a=... would have more than 255 bytes
exit 2
strobe: the label 'A' is given twice
exit 2
strobe: --label is of a dataset: name its folder with --dataset: see strobe export --help
exit 2
strobe: a dataset is of parquet: --to parquet: see strobe export --help
exit 2
strobe: a dataset holds whole profiles: omit -o, --table, --what, --process, --since and --until: see strobe export --help
exit 2
strobe: one profile at a time, or --dataset: see strobe export --help
exit 2
E
E/_strobe_dataset
