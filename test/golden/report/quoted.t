Suggested commands can be copied into a shell, whatever the profile is called.
--- copy shop.txt
--- run
strobe() { $STROBE "$@"; }
mv T.txt "it's  a shop"
$STROBE report "it's  a shop" > said
grep '^   strobe report' said
eval "$(grep '^   strobe report' said)" | head -1
--- out
   strobe report 'it'\''s  a shop.sbp' findings
1. serial_phase: a cure saves at most 350 us; confidence low
