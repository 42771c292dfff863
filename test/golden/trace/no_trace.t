Text is a trace when a line of it is one; else it is refused before anything is written beside it.
--- run
printf 'dear diary:\nin the morning I slept in\n' > diary
$STROBE report diary; echo "$?"; ls
--- out
1
diary
--- err
strobe: diary: is no trace that strobe can read, at byte 0: give a trace of strobe, of dbg, fprof or Percept2, or a trace in text form
