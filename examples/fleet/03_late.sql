-- In which release do processes wait for a scheduler although they could run?
select service, release, count(distinct run) as runs,
       round(100.0 * sum(runnable_ns) / nullif(sum(runnable_ns) + sum(run_ns), 0), 3) as runnable_percent
from process
group by service, release
order by runnable_percent desc, service, release
