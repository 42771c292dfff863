A wait counts with its part in the range: of 60 to 100 us and 200 to 400 us, the range from 80 to 300 us has 20 and 100 us.
--- copy shop.txt
--- run
$STROBE analyze T.txt > log
$STROBE report T.sbp waits --format csv | cut -d, -f1-6
for range in "--since 80us --until 300us" "--until 80us" "--since 300us --until 450us" "--until 450us --process 0.80.0"; do
    echo "$range"; $STROBE report T.sbp waits $range --format csv | cut -d, -f1-6
done
$STROBE report T.sbp waits --since 80us --until 300us
$STROBE query T.sbp "SELECT sum(total_ns) FROM (SELECT total_ns FROM wait_by(0, 80000) UNION ALL SELECT total_ns FROM wait_by(80000, 300000) UNION ALL SELECT total_ns FROM wait_by(300000, NULL))"
$STROBE query T.sbp "SELECT * FROM wait_by WHERE process = 1"
--- out
process,function,count,total_ns,mean_ns,max_ns
till,'Elixir.Till':loop/1,3,390000,130000,200000
--since 80us --until 300us
process,function,count,total_ns,mean_ns,max_ns
till,'Elixir.Till':loop/1,2,120000,60000,100000
--until 80us
process,function,count,total_ns,mean_ns,max_ns
till,'Elixir.Till':loop/1,1,20000,20000,20000
--since 300us --until 450us
process,function,count,total_ns,mean_ns,max_ns
till,'Elixir.Till':loop/1,1,100000,100000,100000
--until 450us --process 0.80.0
process,function,count,total_ns,mean_ns,max_ns
Where processes wait, by total time
process  function     count   total     mean     max  pid
till     Till.loop/1      2  120 us  60.0 us  100 us  <0.90.0>
sum(total_ns)
      390,000
process  function  count  total_ns  max_ns
