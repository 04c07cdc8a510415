-- newest: the ids of the newest statuses of some accounts and with some tags, from indexes only.
-- A look at a sample of the accounts, `step` apart, estimates the id from which on there are about
-- enough: the cost grows neither with the number of posts nor, much, with the number of accounts.
-- $1 accounts bigint[]
-- $2 tags bigint[]
-- $3 step integer
-- $4 each integer
-- $5 sampled integer
-- $6 limit integer
-- rows: one; ids: oldest first, at most `limit`: all from the first of them on, or from `since` on
--   when there are fewer; since: 0 when there are no older ones
-- plan: no sequential scan
with sample as (
  select s.id
  from generate_series(1, cardinality((select $1::bigint[])), (select $3::integer)) place (number)
  cross join lateral (
    select p.id
    from statuses p
    where p.account_id = ((select $1::bigint[]))[place.number] and p.deleted_at is null
    order by p.id desc
    limit (select $4::integer)
  ) s
  order by s.id desc
  limit (select $5::integer)
), since as materialized (
  select case when count(*) = (select $5) then min(sample.id) else 0 end as id from sample
), posted as (
  select p.id
  from statuses p
  where (select since.id from since) > 0
    and p.account_id = any ((select $1::bigint[])::bigint[]) and p.deleted_at is null and p.id >= (select since.id from since)
  union all
  select s.id
  from unnest((select $1::bigint[])) a (id)
  cross join lateral (
    select p.id from statuses p where p.account_id = a.id and p.deleted_at is null order by p.id desc limit (select $6::integer)
  ) s
  where (select since.id from since) = 0
), tagged as (
  select s.status_id as id
  from unnest((select $2::bigint[])) t (id)
  cross join lateral (
    select x.status_id
    from status_tags x
    where x.tag_id = t.id and x.status_id >= (select since.id from since)
    order by x.status_id desc
    limit (select $6)
  ) s
), newest as (
  select posted.id from posted
  union
  select tagged.id from tagged
  order by id desc
  limit (select $6)
)
select
  array(select newest.id from newest order by newest.id) as ids,
  (select since.id from since) as since
