Runs that cannot be read, or that recorded nothing, are named and left out; the others are compared.
--- file run.txt
0     <0.80.0>  s1  in    mfa=shop:main/0
300us <0.80.0>  s1  out   mfa=shop:main/0
--- run
mkdir a b
$STROBE analyze run.txt -o a/1.sbp > log 2>&1
cp a/1.sbp a/2.sbp; cp a/1.sbp b/1.sbp; cp a/1.sbp b/4.sbp
LC_ALL=C sed -i 's,shop:main,SHOP:main,' a/2.sbp
echo garbage > b/2.sbt
: > b/3.sbt
$STROBE diff a b --limit 1; echo $?
$STROBE diff a/2.sbp b/1.sbp --fail-over 5%; echo $?
$STROBE diff a/1.sbp b/3.sbt; echo $?
--- out
Differences from A (1 run) to B (2 runs)
One run on a side: a change cannot be told from noise, so these are sizes
only. Compare folders of runs (strobe record --runs 5) to tell.
kind    subject  A       B       change  between
length  the run  300 us  300 us  +0.0 %  --
3 other figures; --limit 0 shows all
1
1
1
--- err
strobe: a/2.sbp: texts is damaged, what is lost of it reads as NULL, at byte 528: analyse the trace again
strobe: a: 1 of 2 runs are compared: the others cannot be read
strobe: b/2.sbt: not a trace, at byte 0: strobe reads its own traces, those of dbg, fprof and Percept2, and traces in text form
strobe: b/3.sbt: nothing was recorded: record it again
strobe: b: 2 of 4 runs are compared: the others cannot be read
strobe: a/2.sbp: texts is damaged, what is lost of it reads as NULL, at byte 528: analyse the trace again
strobe: b/3.sbt: nothing was recorded: record it again
