A node that was restarted has its name twice: two nodes with different creations. Entries of one creation are one node.
--- file A.txt
@meta node=a@h creation=1
0     <0.5.0> s1 in  mfa=m:f/0
10    <0.5.0> s1 out mfa=m:f/0
--- file B.txt
@meta node=a@h creation=2
20    <0.5.0> s1 in  mfa=m:f/0
50    <0.5.0> s1 out mfa=m:f/0
--- file C.txt
@meta node=a@h creation=1
60    <0.5.0> s1 in  mfa=m:f/0
65    <0.5.0> s1 out mfa=m:f/0
--- run
for p in A B C; do $STROBE analyze $p.txt -o $p.sbp > log 2>&1; done
$STROBE analyze A.txt B.txt C.txt -o once.sbp > log 2>&1; $STROBE merge C.sbp A.sbp B.sbp -o M.sbp && cmp once.sbp M.sbp && echo the same
$STROBE query M.sbp "SELECT node.id, node.name, creation, pid, run_ns, slices FROM node JOIN process ON process.node = node.id" --format csv
--- out
the same
id,name,creation,pid,run_ns,slices
1,a@h,1,<0.5.0>,15,2
2,a@h,2,<0.5.0>,30,1
