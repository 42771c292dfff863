A profile that an older strobe wrote is regenerated from its trace, and refused without one.
--- trace
0     <0.80.0>  s1  in    mfa=shop:main/0
300us <0.80.0>  s1  out   mfa=shop:main/0
--- run
$STROBE analyze T.txt > /dev/null
printf '\001' | dd of=T.sbp bs=1 seek=8 conv=notrunc 2> /dev/null
$STROBE query T.txt "SELECT pid, run_ns FROM process"
cp T.sbp old.sbp
printf '\001' | dd of=old.sbp bs=1 seek=8 conv=notrunc 2> /dev/null
$STROBE query old.sbp "SELECT pid, run_ns FROM process"
--- out
pid       run_ns
<0.80.0>  300 us
--- err
strobe: old.sbp: an older strobe wrote this profile (version 1), at byte 8: run strobe analyze on its trace
--- exit 1
