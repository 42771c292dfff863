-- Which processes end by an error, and since which release?
select service, release, coalesce(name, entry) as who, exit_reason, count(*) as exits, count(distinct run) as runs
from process
where exit_reason is not null and exit_reason not in ('normal', 'shutdown')
group by service, release, who, exit_reason
order by exits desc, service, release, who, exit_reason
limit 20
