A number outside its bounds is refused, not replaced by the nearest one that is allowed.
--- run
for o in "record --level 99" "record --buffer 1" "record --buffer lots" "record --trace gcs" "analyze --threads 257" "analyze --wrap-count 4294967296" \
    "fprof --cols 0" "serve --port 65536" "info --threads 1000" "count --limit -1" "query --timeout soon"; do
    $STROBE $o -- touch ran; echo $?
done
ls ran 2> /dev/null
--- out
2
2
2
2
2
2
2
2
2
2
2
--- err
strobe: --level takes 0 to 19, not '99': see strobe record --help
strobe: --buffer takes at least 1.00 MB, not '1': see strobe record --help
strobe: --buffer takes a size such as 64M, not 'lots': see strobe record --help
strobe: --trace does not know 'gcs', did you mean gc?; it takes all, procs, running, messages, gc, ports, vm, calls, sample, marks, migration, schedulers, cpu: see strobe record --help
strobe: --threads takes 0 to 256, not '257': see strobe analyze --help
strobe: --wrap-count takes 0 to 4,294,967,295, not '4294967296': see strobe analyze --help
strobe: --cols takes 1 to 1,073,741,823, not '0': see strobe fprof --help
strobe: --port takes 0 to 65,535, not '65536': see strobe serve --help
strobe: --threads takes 0 to 256, not '1000': see strobe info --help
strobe: --limit takes a number, not '-1': see strobe count --help
strobe: --timeout takes a time with its unit, as in 10s or 500ms, not 'soon': see strobe query --help
--- exit 2
