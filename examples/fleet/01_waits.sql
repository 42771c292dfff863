-- Which release made `prices` wait longer?
select release, sum(n) as waits, round(sum(total_ns) / sum(n) / 1e6, 3) as mean_ms, max(max_ns) / 1e6 as longest_ms
from (select run, release, id as process from process where name = 'prices') as p
inner join (select run, process, count as n, total_ns, max_ns from wait) as w using (run, process)
group by release
order by mean_ms desc, release
