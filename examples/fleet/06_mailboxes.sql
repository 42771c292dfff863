-- Whose mailbox grows longest?
select service, coalesce(name, entry) as who, max(max_queue) as longest, count(distinct run) as runs
from process
where max_queue > 0
group by service, who
order by longest desc, service, who
limit 20
