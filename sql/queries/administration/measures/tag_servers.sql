-- tag_servers: the domains whose statuses used a hashtag in a period, those with most first.
-- $1 tag bigint
-- $2 first date
-- $3 last date
-- $4 limit bigint
-- rows: at most $4; null: all; total: of all, also those beyond the limit;
--   domain: null for this server
-- plan: no sequential scan; the uses of one hashtag by index
select a.domain, count(*)::bigint as amount, (sum(count(*)) over ())::bigint as total
from status_tags x
join statuses s on s.id = x.status_id
join accounts a on a.id = s.account_id
where x.tag_id = $1 and s.deleted_at is null
  and x.status_id >= first_snowflake(midnight($2::date)) and x.status_id < first_snowflake(midnight($3::date + 1))
group by a.domain
order by 2 desc, 1 nulls first
limit $4::bigint
