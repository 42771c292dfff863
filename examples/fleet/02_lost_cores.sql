-- Which machines lose their cores to other programs? Their schedulers were ready to run, and the cores ran something else.
select node, round(sum(cpu_ns) / 1e9, 3) as cpu_s, round(sum(queue_ns) / 1e9, 3) as lost_s,
       round(100.0 * sum(queue_ns) / nullif(sum(cpu_ns) + sum(queue_ns), 0), 3) as lost_percent,
       sum(involuntary) as preempted
from thread
where kind = 'normal'
group by node
order by lost_percent desc, node
limit 20
