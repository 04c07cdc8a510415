-- tag_server_days: the number of other servers whose statuses used a hashtag, by day (UTC) and in
-- total.
-- $1 tag bigint
-- $2 first date
-- $3 last date
-- rows: one for each day with uses, and one without a day for the total; counted: how many counters
--   were read for it
-- plan: no sequential scan; the counters of one hashtag by key
select used.day, count(distinct used.domain) filter (where used.domain <> '') as servers, coalesce(sum(used.counters), 0)::bigint as counted
from (
  select c.day, c.domain, count(*) as counters
  from tag_server_days c
  where c.tag_id = $1 and c.day >= $2::date and c.day <= $3::date
  group by c.day, c.domain
  having sum(c.uses) > 0
) used
group by grouping sets ((used.day), ())
