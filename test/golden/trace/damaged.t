Damage is a loss, of which nobody knows how much.
--- run
$(dirname "$STROBE")/strobe-gen --format sbt --events 20000 -o T.sbt
$STROBE info T.sbt | grep -E '^lost'
python3 -c 'f = open("T.sbt", "r+b"); f.seek(40000); f.write(bytes(9))'
$STROBE info T.sbt 2>/dev/null | grep -oE '^lost.*|^damage  *a block with a wrong checksum'
--- out
lost                 nothing
lost                 damage in 1 place, unknown how much
damage               a block with a wrong checksum
