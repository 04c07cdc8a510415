-- replies: makes up to a thousand replies to an account, whose row is to be deleted, replies to an
-- unknown parent; by the foreign key alone they would no longer be replies. Those within a thread
-- of one's own keep their parent.
-- $1 account bigint
-- rows: one
-- plan: no sequential scan
with changed as (
  update statuses s set in_reply_to_account_id = null, parent_unknown = true
  where s.id in (select o.id from statuses o where o.in_reply_to_account_id = $1 limit 1000)
  returning s.id, s.account_id
), logged as (
  insert into events (kind, actor_id, status_id)
  select 'status.counted', changed.account_id, changed.id from changed
  returning event_json(events) as event
)
select (select count(*) from changed)::integer as removed, (select jsonb_agg(logged.event) from logged) as events
