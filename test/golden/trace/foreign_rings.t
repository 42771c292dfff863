A trace that was cut off names the rings that may hold its rest. Only a regular file where recordings put their rings is
opened; a pipe there is not waited for.
--- run
head() { python3 -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<8sIIqqII216s', b'STROBE\x1a\n', 1, 256, 0, 0, 7, 3, sys.argv[1].encode()))" "$1"; }
mkdir strobe-1-x
mkfifo strobe-1-x/1.rings pipe
for rings in "$PWD/strobe-1-x/1.rings" "$PWD/pipe" /dev/zero /etc/passwd "" ../x.rings; do
    head "$rings" > T.sbt
    timeout 60 $STROBE info T.sbt --format json | grep '"events"'
done
--- out
  "events": 0,
  "events": 0,
  "events": 0,
  "events": 0,
  "events": 0,
  "events": 0,
