Two traces of one node name are of two nodes where another process of the operating system ran it: a pid is then two processes, and the second node has that process in its name. A further trace of a run joins it.
--- file A.txt
@meta node=a@h os_pid=100 boot=7f2c
100us <0.5.0> s1 in
200us <0.5.0> s1 out
--- file B.txt
@meta node=a@h os_pid=200 boot=7f2c
300us <0.5.0> s1 in
400us <0.5.0> s1 out
--- file C.txt
@meta node=a@h os_pid=200 boot=7f2c
500us <0.6.0> s1 in
600us <0.6.0> s1 out
--- run
$STROBE analyze C.txt A.txt B.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT n.name, n.os_pid, p.pid, p.run_ns FROM node n JOIN process p ON p.node = n.id ORDER BY p.id" --format csv
$STROBE analyze A.txt -o A.sbp > log 2>&1
$STROBE analyze B.txt -o B.sbp > log 2>&1
$STROBE merge A.sbp B.sbp -o M.sbp > log 2>&1
$STROBE query M.sbp "SELECT n.name, p.pid, p.run_ns FROM node n JOIN process p ON p.node = n.id ORDER BY p.id" --format csv
--- out
name,os_pid,pid,run_ns
a@h,100,<0.5.0>,100000
a@h (200),200,<0.5.0>,100000
a@h (200),200,<0.6.0>,100000
name,pid,run_ns
a@h,<0.5.0>,100000
a@h (200),<0.5.0>,100000
