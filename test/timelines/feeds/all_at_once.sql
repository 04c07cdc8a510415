-- The statement by which whole feeds were read before ids and facts were read apart: the newest
-- statuses of some accounts and with some tags, with the columns that the rules of feeds need;
-- oldest first.
-- A first step over the 20 newest of each account finds an id above which there are always enough,
-- and the second step reads from there: the cost grows neither with the number of posts nor, much,
-- with the number of accounts.
-- $1 viewer bigint
-- $2 accounts bigint[]
-- $3 tags bigint[]
-- $4 limit_each integer
-- $5 limit integer
-- rows: at most `limit`, at most `limit_each` of one account or tag; only statuses that the viewer
--   may see. arrived: an id of the time when the author or hashtag was followed, if that was after
--   the status
-- plan: no sequential scan
with glance as (
  select s.id
  from unnest($2::bigint[]) a (id)
  cross join lateral (
    select p.id from statuses p where p.account_id = a.id and p.deleted_at is null order by p.id desc limit 20
  ) s
  order by s.id desc
  limit $5::integer
), enough as (
  select case when count(*) >= $5 then min(glance.id) else 0 end as id from glance
), posted as (
  select s.id
  from unnest($2) a (id)
  cross join lateral (
    select p.id
    from statuses p
    where p.account_id = a.id and p.deleted_at is null and p.id >= (select enough.id from enough)
    order by p.id desc
    limit $4::integer
  ) s
  order by s.id desc
  limit $5
), tagged as (
  select s.status_id as id
  from unnest($3::bigint[]) t (id)
  cross join lateral (
    select x.status_id from status_tags x where x.tag_id = t.id order by x.status_id desc limit $4
  ) s
), newest as materialized (
  select posted.id from posted
  union
  select tagged.id from tagged
  order by id desc
  limit $5
)
select
  s.id,
  s.account_id,
  a.domain,
  a.silenced_at is not null as silenced,
  s.visibility,
  s.language,
  s.reblog_of_id,
  o.account_id as reblog_account_id,
  b.domain as reblog_domain,
  s.in_reply_to_id,
  s.in_reply_to_account_id,
  array(select m.account_id from mentions m where m.status_id = s.id and not m.silent) as mentions,
  array(select m.account_id from mentions m where m.status_id = s.id and m.silent) as silent_mentions,
  array(select m.account_id from mentions m where m.status_id = s.reblog_of_id and not m.silent) as reblog_mentions,
  array(
    select t.name
    from status_tags x
    join tags t on t.id = x.tag_id
    where x.status_id = s.id and x.tag_id = any ($3)
  ) as tags,
  case when first_snowflake(since.at) > s.id then first_snowflake(since.at) end as arrived
from newest
join visible_statuses($1) s on s.id = newest.id
join accounts a on a.id = s.account_id
left join statuses o on o.id = s.reblog_of_id and o.deleted_at is null
left join accounts b on b.id = o.account_id
left join follows f on f.account_id = $1 and f.target_account_id = s.account_id
cross join lateral (
  select coalesce(f.created_at, (
    select min(t.created_at)
    from status_tags x
    join tag_follows t on t.account_id = $1 and t.tag_id = x.tag_id
    where x.status_id = s.id and s.account_id <> $1
  )) as at
) since
order by s.id
