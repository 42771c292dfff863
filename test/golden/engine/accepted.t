No event tells of the opening of an accepted socket; its port links the process that accepts it, then the one that controls it. The owner of an opened port is the process that opened it.
--- trace
@meta node=a@h schedulers=2 recorded=procs,ports
100 #Port<0.5> s1 open owner=<0.5.0> driver=tcp_inet
110 #Port<0.5> s1 getting_linked by=<0.5.0>
120 #Port<0.5> s1 getting_linked by=<0.6.0>
200 <0.6.0> s1 getting_linked by=#Port<0.7>
300 <0.6.0> s1 getting_linked by=#Port<0.8>
310 #Port<0.8> s1 getting_linked by=<0.9.0>
320 <0.6.0> s1 getting_unlinked by=#Port<0.8>
400 #Port<0.8> s1 closed reason=normal
--- run
$STROBE analyze T.txt -o P.sbp >/dev/null
$STROBE query P.sbp "select port.name, driver, pid(owner) AS owner from port" --format csv
$STROBE merge P.sbp -o M.sbp >/dev/null && cmp P.sbp M.sbp && echo same
--- out
name,driver,owner
#Port<0.5>,tcp_inet,<0.5.0>
#Port<0.7>,,<0.6.0>
#Port<0.8>,,<0.9.0>
same
