A wrap set whose first files were removed is not said to have lost nothing. Nor is one whose names leave that open:
0 and 1 are all of a set, or the newest of one with two files. A wrap count that is larger decides.
--- file w1.trc
5us <0.5.0> s1 in mfa=m:f/0
--- file w2.trc
9us <0.5.0> s1 out mfa=m:f/0
--- file v0.trc
5us <0.5.0> s1 in mfa=m:f/0
--- file v1.trc
9us <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE info w | grep -E '^(lost|wrapped)'
$STROBE analyze w -o w.sbp > log
$STROBE report w.sbp processes | sed -n 1p
$STROBE report w.sbp loss | sed -n 1p
$STROBE report w.sbp processes --format csv 2>&1 >/dev/null
$STROBE merge w.sbp -o m.sbp > log && $STROBE report m.sbp loss | sed -n 1p
$STROBE info v | grep -E '^(lost|wrapped)'
$STROBE info v --wrap-count 2 | grep -E '^(lost|wrapped)'
$STROBE info v --wrap-count 3 | grep -E '^(lost|wrapped)'
$STROBE analyze v -o v.sbp > log
$STROBE report v.sbp processes | sed -n 1p
--- out
wrapped              older files of the set were removed, and the events in them are missing
lost                 nothing in the files that are there
WRAPPED: older files of the wrap set were removed, and the events in them are missing
WRAPPED: older files of the wrap set were removed, and the events in them are missing
strobe: WRAPPED: older files of the wrap set were removed, and the events in them are missing
WRAPPED: older files of the wrap set were removed, and the events in them are missing
lost                 nothing in the files that are there; their names do not show whether older ones were removed
lost                 nothing in the files that are there; their names do not show whether older ones were removed
lost                 nothing
Processes, by run time
