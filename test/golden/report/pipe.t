A pipe that bears the name of a profile is refused, and nothing waits for a writer.
--- run
mkdir runs
mkfifo runs/a.sbp
timeout 20 $STROBE report runs/a.sbp 2>&1
timeout 20 $STROBE diff runs runs 2>&1 | head -n 1
--- out
strobe: runs/a.sbp: is not a regular file: name a file
strobe: runs/a.sbp: is not a regular file: name a file
