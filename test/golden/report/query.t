--- copy shop.txt
--- run
$STROBE query T.txt "SELECT pid, start, end FROM process"
$STROBE query T.txt "SELECT * FROM state WHERE process = 2" --format csv
$STROBE query T.txt "SELECT key, total_ns FROM slice_by('process')" --format json
$STROBE query T.txt "SELECT start, running_ns, waiting_ns FROM timeline('process:2', 0, 600000, 4)" --format tsv
$STROBE query T.txt "SELECT id FROM process" --limit 1 --timeout 0 --format csv
--- out
pid            start         end
<0.80.0>          --  0.000600 s
<0.90.0>  0.000010 s          --
process,state,start,dur,scheduler
2,runnable,10000,10000,
2,running,20000,40000,2
2,waiting,60000,40000,
2,runnable,100000,10000,
2,running,110000,40000,2
2,gc,150000,10000,2
2,running,160000,40000,2
2,waiting,200000,200000,
2,runnable,400000,10000,
2,running,410000,40000,1
2,waiting,450000,150000,
[
  {
    "key": 1,
    "total_ns": 501000
  },
  {
    "key": 2,
    "total_ns": 170000
  }
]
start	running_ns	waiting_ns
0	120000	102144
262144	40000	212144
524288	0	75712
id
1
