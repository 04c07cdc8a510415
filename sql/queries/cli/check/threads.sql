-- threads: finds statuses of a batch whose conversation is missing, and creates it on request.
-- Boosts have none.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select s.id, s.conversation_id, s.reblog_of_id is null and s.deleted_at is null as has_one
  from statuses s
  where s.id > $1
  order by s.id
  limit 1000
), wrong as materialized (
  select batch.id, coalesce(batch.conversation_id, batch.id) as conversation_id
  from batch
  where batch.has_one and not exists (select from conversations k where k.id = batch.conversation_id)
), created as (
  insert into conversations (id) select distinct wrong.conversation_id from wrong where $2
  on conflict do nothing
), fixed as (
  update statuses s set conversation_id = wrong.conversation_id from wrong where $2 and s.id = wrong.id
  returning s.id
), logged as (
  insert into events (kind, status_id) select 'status.counted', fixed.id from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', 'its conversation does not exist') order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
