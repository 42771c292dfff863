-- Which functions cost more for each call in one release than in another?
select mfa, release, sum(calls) as all_calls, round(sum(own_ns) / sum(calls) / 1e3, 3) as own_us_a_call
from function
where calls > 0 and mfa not in ('suspend', 'garbage_collect')
group by mfa, release
order by mfa, release
