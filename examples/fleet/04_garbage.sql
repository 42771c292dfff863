-- Does garbage collection take more of the work from day to day?
select service, date, sum(gc_count) as collections, round(sum(gc_ns) / 1e6, 3) as gc_ms,
       round(100.0 * sum(gc_ns) / nullif(sum(run_ns), 0), 3) as percent_of_work
from process
group by service, date
order by service, date
