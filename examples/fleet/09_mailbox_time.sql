-- Whose messages lie in the mailbox longest, by release?
select who, release, sum(n) as messages, round(sum(ns) / sum(n) / 1e3, 3) as mean_us, max(most_ns) / 1e3 as longest_us
from (select run, release, id as receiver, coalesce(name, entry) as who from process) as p
inner join (
  select run, receiver, matched as n, latency_ns as ns, max_latency_ns as most_ns from message_edge where matched > 0
) as e using (run, receiver)
group by who, release
order by mean_us desc, who, release
limit 20
