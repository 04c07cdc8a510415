-- tag_servers: the domains whose statuses used a hashtag in a period, most uses first.
-- $1 tag bigint
-- $2 first date
-- $3 last date
-- $4 limit bigint
-- rows: at most $4; null: all; domain: '' for this server; counted: how many counters were read for
--   all domains
-- plan: no sequential scan; the counters of one hashtag by key
select c.domain, sum(c.uses)::bigint as amount, (sum(count(*)) over ())::bigint as counted
from tag_server_days c
where c.tag_id = $1 and c.day >= $2::date and c.day <= $3::date
group by c.domain
having sum(c.uses) > 0
order by 2 desc, 1
limit $4::bigint
