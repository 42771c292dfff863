The exit codes of a command that cannot be run are those of a shell: 127 if there is none, 126 if it is no program.
--- run
: > plain
for c in record count; do
    $STROBE $c -o out -- ./none 2> err; echo $?; tail -n 1 err
    $STROBE $c -o out -- ./plain 2> err; echo $?; tail -n 1 err
done
ls
--- out
127
strobe: cannot run './none': No such file or directory
126
strobe: cannot run './plain': Permission denied
127
strobe: cannot run './none': No such file or directory
126
strobe: cannot run './plain': Permission denied
err
plain
