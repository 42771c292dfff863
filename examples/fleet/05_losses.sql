-- Which recordings are incomplete, so that figures of their nodes are too small?
select node, class, count(distinct run) as runs, sum(events) as lost_events
from loss
where events > 0
group by node, class
order by lost_events desc, node, class
limit 20
