-- Who sends whom the most?
select from_who, to_who, sum(messages) as all_messages, sum(words) as all_words
from (
  select run, receiver, from_who, messages, words
  from (select run, sender, receiver, count as messages, total_words as words from message_edge) as e
  inner join (select run, id as sender, coalesce(name, entry) as from_who from process) as s using (run, sender)
) as f
inner join (select run, id as receiver, coalesce(name, entry) as to_who from process) as r using (run, receiver)
group by from_who, to_who
order by all_words desc, from_who, to_who
limit 20
