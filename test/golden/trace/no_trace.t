Text is a trace when a line of it is one; else it is refused before anything is written beside it.
--- run
printf 'dear diary:\nin the morning I slept in\n' > diary
$STROBE report diary; echo "$?"; ls
--- out
1
diary
--- err
strobe: diary: not a trace, at byte 0: strobe reads its own traces, those of dbg, fprof and Percept2, and traces in text form
