-- candidates: the ids of the newest statuses of some accounts and with some tags, from indexes
-- only.
-- A first step over the 20 newest of each account finds an id above which there are always enough,
-- and the second step reads from there: the cost grows neither with the number of posts nor, much,
-- with the number of accounts.
-- $1 accounts bigint[]
-- $2 tags bigint[]
-- $3 limit_each integer
-- $4 limit integer
-- rows: one; ids: oldest first, at most `limit`, at most `limit_each` of one account or tag
-- plan: no sequential scan
with glance as (
  select s.id
  from unnest((select $1::bigint[])) a (id)
  cross join lateral (
    select p.id from statuses p where p.account_id = a.id and p.deleted_at is null order by p.id desc limit 20
  ) s
  order by s.id desc
  limit $4::integer
), enough as (
  select case when count(*) >= $4 then min(glance.id) else 0 end as id from glance
), posted as (
  select s.id
  from unnest((select $1::bigint[])) a (id)
  cross join lateral (
    select p.id
    from statuses p
    where p.account_id = a.id and p.deleted_at is null and p.id >= (select enough.id from enough)
    order by p.id desc
    limit $3::integer
  ) s
  order by s.id desc
  limit $4
), tagged as (
  select s.status_id as id
  from unnest((select $2::bigint[])) t (id)
  cross join lateral (
    select x.status_id from status_tags x where x.tag_id = t.id order by x.status_id desc limit $3
  ) s
), newest as (
  select posted.id from posted
  union
  select tagged.id from tagged
  order by id desc
  limit $4
)
select array(select newest.id from newest order by newest.id) as ids
