-- delete_boosts: removes up to a thousand boosts of a deleted status and as many notifications
-- about it, and takes the parent from as many replies.
-- $1 status bigint
-- rows: one; removed: how many of all
-- plan: no sequential scan
with boosts as materialized (
  update statuses b set deleted_at = now()
  where b.id in (
    select o.id
    from statuses s
    join statuses o on o.reblog_of_id = s.id
    where s.id = $1 and s.deleted_at is not null and o.deleted_at is null
    order by o.id
    limit 1000
  )
    and b.deleted_at is null
  returning b.id, b.account_id, b as row
), muted_rows as (
  delete from notifications n
  where n.id in (
    select o.id
    from statuses s
    join notifications o on o.status_id = s.id
    where s.id = $1 and s.deleted_at is not null
    limit 1000
  )
  returning n.id
), orphans as (
  update statuses r set in_reply_to_id = null
  where r.id in (
    select o.id
    from statuses s
    join statuses o on o.in_reply_to_id = s.id
    where s.id = $1 and s.deleted_at is not null
    order by o.id
    limit 1000
  )
  returning r.id, r.account_id
), counted as (
  update account_stats c set statuses_count = greatest(c.statuses_count - less.amount, 0)
  from (select boosts.account_id, count(*) as amount from boosts group by boosts.account_id) less
  where c.account_id = less.account_id
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.deleted', boosts.account_id, boosts.id, status_facts(boosts.row) from boosts
  union all
  select 'status.counted', orphans.account_id, orphans.id, '{}' from orphans
  returning event_json(events) as event
)
select
  ((select count(*) from boosts) + (select count(*) from muted_rows) + (select count(*) from orphans))::integer as removed,
  (select jsonb_agg(logged.event) from logged) as events
