-- recently_used: hashtags of at least two of the viewer's latest 1000 statuses of a year, most used
-- first, except featured ones.
-- $1 viewer bigint
-- rows: at most 10
-- plan: no sequential scan
select t.name
from (
  select s.id
  from statuses s
  where s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null
    and s.id > (extract(epoch from now() - interval '1 year') * 1000)::bigint << 16
  order by s.id desc
  limit 1000
) recent
join status_tags x on x.status_id = recent.id
join tags t on t.id = x.tag_id
where not exists (select from featured_tags f where f.account_id = $1 and f.tag_id = t.id)
group by t.id
having count(*) > 1
order by count(*) desc, t.id
limit 10
