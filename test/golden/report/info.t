A damaged block is reported even if no query reads its rows.
--- file A.txt
@meta node=a@host schedulers=2
0     <0.80.0>  s1  in    mfa=shop:main/0
100us <0.80.0>  s1  send  to=<0.81.0> words=12
300us <0.80.0>  s1  out   mfa=shop:main/0
--- run
$STROBE analyze A.txt > /dev/null
$STROBE info A.sbp > /dev/null && echo whole
printf 'X' | dd of=A.sbp bs=1 seek=20 conv=notrunc 2> /dev/null
$STROBE info A.sbp > /dev/null
--- out
whole
--- err
strobe: A.sbp: process.id is damaged, what is lost of it reads as NULL, at byte 16: analyse the trace again
--- exit 1
