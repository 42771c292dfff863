No command writes over the file that it reads, by whatever name, or over a recorded trace. A recording refuses an output
that it cannot create, and a time without a unit, before it starts the command.
--- trace
@meta node=a@h creation=1 recorded=procs,running schedulers=1
0 <0.5.0> s1 in mfa=m:f/0
5us <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
ln T.txt other.txt; cp T.txt T1; cp T.sbp T2
printf 'STROBE\032\n' > taken.sbt # as every recorded trace begins
for c in "analyze T.txt -o T.txt" "analyze T.txt -o ./other.txt" "dump T.txt -o other.txt" "merge T.sbp -o T.sbp" "merge T.txt -o T.sbp" "export T.sbp --to chrome -o T.sbp" \
    "export T.txt --to chrome -o T.txt" "report T.txt -o T.txt" \
    "report T.txt -o T.sbp" "fprof T.txt -o T.txt" "fprof T.txt --dump T.txt" \
    "fprof T.txt --messages T.txt" "analyze T.txt -o taken.sbt" "merge T.sbp -o taken.sbt" "export T.sbp --to chrome -o taken.sbt" \
    "dump T.txt -o taken.sbt" "count -o taken.sbt -- touch ran" "count -o . -- touch ran" "record --duration 5 -o r.sbt -- touch ran" \
    "record -o nowhere/r.sbt -- touch ran" "record -o . -- touch ran" "record -o /dev/null -- touch ran"; do
    $STROBE $c > log 2>&1; echo "$? $(head -n 1 log)"
done
cmp T.txt T1 && cmp T.sbp T2 && wc -c < taken.sbt && ls ran 2>&1 | sed 's/.*: //'
--- out
2 strobe: -o T.txt would overwrite the file that is read; name another file: see strobe analyze --help
2 strobe: -o ./other.txt would overwrite the file that is read; name another file: see strobe analyze --help
2 strobe: -o other.txt would overwrite the file that is read; name another file: see strobe dump --help
2 strobe: -o T.sbp would overwrite the file that is read; name another file: see strobe merge --help
2 strobe: -o T.sbp would overwrite the file that is read; name another file
2 strobe: -o T.sbp would overwrite the file that is read; name another file
2 strobe: -o T.txt would overwrite the file that is read; name another file
2 strobe: -o T.txt would overwrite the file that is read; name another file: see strobe report --help
2 strobe: -o T.sbp would overwrite the file that is read; name another file
2 strobe: -o T.txt would overwrite the file that is read; name another file: see strobe fprof --help
2 strobe: -o T.txt would overwrite the file that is read; name another file: see strobe fprof --help
2 strobe: -o T.txt would overwrite the file that is read; name another file: see strobe fprof --help
2 strobe: -o taken.sbt would overwrite a recorded trace; name another file: see strobe analyze --help
2 strobe: -o taken.sbt would overwrite a recorded trace; name another file: see strobe merge --help
2 strobe: -o taken.sbt would overwrite a recorded trace; name another file
2 strobe: -o taken.sbt would overwrite a recorded trace; name another file: see strobe dump --help
2 strobe: -o taken.sbt would overwrite a recorded trace; name another file: see strobe count --help
2 strobe: -o .: no file can be written there: see strobe count --help
2 strobe: --duration takes a time with its unit, as in 10s or 500ms, not '5': see strobe record --help
2 strobe: -o nowhere/r.sbt: no file can be written there: see strobe record --help
2 strobe: -o .: no file can be written there: see strobe record --help
2 strobe: -o /dev/null: no file can be written there: see strobe record --help
8
No such file or directory
