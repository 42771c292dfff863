A process that is suspended looks like one that is preempted. What is certain of a long absence needs samples that all saw
an occupied run queue: one sample is not enough (<0.5.0>), nor is a row of them that ends long before the process is back
(<0.6.0>) or that has a hole (<0.7.0>), unless all schedulers were at work meanwhile (<0.10.0>, not <0.9.0>). What
samples show after a process is back counts for later ones (<0.11.0>), so that no window's end matters. A message
does not wake a suspended process (<0.8.0>). An absence that is too short for samples is certain, and so is that of a new
process (<0.9.0>), which cannot be suspended.
--- trace
@meta node=n@h schedulers=1 recorded=procs,running,messages,vm
0 <0.5.0> s1 waits mfa=m:spin/1 kind=0
0 <0.5.0> s1 waits mfa=m:loop/1 kind=1
1us <0.5.0> s1 in mfa=m:spin/1
2us <0.5.0> s1 out mfa=m:spin/1
40ms - - sample item=run_queue key="1" value=1
60ms <0.5.0> s1 in mfa=m:spin/1
61ms <0.5.0> s1 out mfa=m:spin/1
85ms <0.5.0> s1 in mfa=m:spin/1
86ms <0.5.0> s1 exit reason=normal
100ms <0.6.0> s1 in mfa=m:spin/1
101ms <0.6.0> s1 out mfa=m:spin/1
110ms - - sample item=run_queue key="1" value=1
120ms - - sample item=run_queue key="1" value=2
130ms - - sample item=run_queue key="1" value=1
190ms <0.6.0> s1 in mfa=m:spin/1
191ms <0.6.0> s1 exit reason=normal
200ms <0.7.0> s1 in mfa=m:spin/1
201ms <0.7.0> s1 out mfa=m:spin/1
210ms - - sample item=run_queue key="1" value=1
220ms - - sample item=run_queue key="1" value=1
260ms - - sample item=run_queue key="1" value=1
270ms - - sample item=run_queue key="1" value=1
280ms <0.7.0> s1 in mfa=m:spin/1
281ms <0.7.0> s1 exit reason=normal
300ms <0.8.0> s1 in mfa=m:loop/1
301ms <0.8.0> s1 out mfa=m:loop/1
302ms <0.5.1> s1 send to=<0.8.0> words=1 ext=9 hash=1
400ms <0.8.0> s1 in mfa=m:loop/1
401ms <0.8.0> s1 receive words=1 ext=9 hash=1
402ms <0.8.0> s1 exit reason=normal
410ms <0.9.0> s1 spawned parent=<0.5.1> mfa=m:spin/1
500ms <0.9.0> s1 in mfa=m:spin/1
501ms <0.9.0> s1 out mfa=m:spin/1
510ms - - sample item=run_queue key="1" value=1
540ms - - sample item=run_queue key="1" value=1
540001us - - sample item=utilisation key="1" value=800000
560ms <0.9.0> s1 in mfa=m:spin/1
561ms <0.9.0> s1 exit reason=normal
600ms - - sample item=run_queue key="1" value=0
600001us - - sample item=utilisation key="1" value=950000
610ms <0.10.0> s1 in mfa=m:spin/1
611ms <0.10.0> s1 out mfa=m:spin/1
700ms - - sample item=run_queue key="1" value=1
700001us - - sample item=utilisation key="1" value=950000
800ms - - sample item=run_queue key="1" value=1
800001us - - sample item=utilisation key="1" value=1000000
810ms <0.10.0> s1 in mfa=m:spin/1
811ms <0.10.0> s1 exit reason=normal
820ms <0.11.0> s1 in mfa=m:spin/1
821ms <0.11.0> s1 out mfa=m:spin/1
900ms - - sample item=run_queue key="1" value=1
900000500 <0.11.0> s1 in mfa=m:spin/1
900001us - - sample item=utilisation key="1" value=1000000
901ms <0.11.0> s1 exit reason=normal
--- run
$STROBE analyze T.txt -o T.sbp > log 2>&1
$STROBE query T.sbp "SELECT pid, gap.wait_ns, gap.runnable_ns, low_ns, high_ns, cause FROM gap JOIN process p ON p.id = process WHERE gap.wait_ns + gap.runnable_ns > 0 ORDER BY pid, gap.start" --format csv
sed 's/,vm//; /sample/d' T.txt > bare.txt
$STROBE analyze bare.txt -o bare.sbp > log 2>&1
$STROBE query bare.sbp "SELECT pid, runnable_ns, runnable_low_ns FROM process WHERE runnable_ns > 0 ORDER BY pid" --format csv
--- out
pid,wait_ns,runnable_ns,low_ns,high_ns,cause
<0.10.0>,0,199000000,199000000,199000000,preempted
<0.11.0>,0,79000500,0,79000500,preempted
<0.5.0>,0,59998000,0,59998000,preempted
<0.5.0>,0,24000000,24000000,24000000,preempted
<0.6.0>,0,89000000,0,89000000,preempted
<0.7.0>,0,79000000,20000000,79000000,preempted
<0.8.0>,1000000,98000000,0,98000000,message
<0.9.0>,0,90000000,90000000,90000000,spawn
<0.9.0>,0,59000000,0,59000000,preempted
pid,runnable_ns,runnable_low_ns
<0.10.0>,199000000,0
<0.11.0>,79000500,79000500
<0.5.0>,83998000,83998000
<0.6.0>,89000000,89000000
<0.7.0>,79000000,79000000
<0.8.0>,98000000,98000000
<0.9.0>,149000000,149000000
