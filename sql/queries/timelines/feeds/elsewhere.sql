-- elsewhere: the posts by which feeds of accounts that do not follow an account show its newest
-- statuses: those with hashtags, and boosts by others; newest first.
-- $1 account bigint
-- $2 statuses integer
-- $3 boosts_each integer
-- rows: at most 20,000, for the newest `statuses` of the account, with at most `boosts_each` of
--   each; author: who posted or boosted; tags: the names of a status's hashtags
-- plan: no sequential scan
with own as materialized (
  select s.id
  from statuses s
  where s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null
  order by s.id desc
  limit $2::integer
), tagged as (
  select own.id, $1::bigint as author, array_agg(t.name) as tags
  from own
  join status_tags x on x.status_id = own.id
  join tags t on t.id = x.tag_id
  group by own.id
), boosts as (
  select b.id, b.account_id as author, '{}'::text[] as tags
  from own
  cross join lateral (
    select p.id, p.account_id
    from statuses p
    where p.reblog_of_id = own.id and p.deleted_at is null and p.account_id <> $1
    order by p.id desc
    limit $3::integer
  ) b
)
select one.id, one.author, one.tags
from (select * from tagged union all select * from boosts) one
order by one.id desc
limit 20000
