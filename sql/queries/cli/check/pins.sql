-- pins: finds pins of a batch whose status is deleted, a boost, or by somebody else; removes them
-- on request.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select p.id, p.account_id, p.status_id from status_pins p where p.id > $1 order by p.id limit 1000
), wrong as materialized (
  select batch.id, batch.account_id, batch.status_id
  from batch
  join statuses s on s.id = batch.status_id
  where s.deleted_at is not null or s.reblog_of_id is not null or s.account_id <> batch.account_id
), fixed as (
  delete from status_pins p using wrong where $2 and p.id = wrong.id
  returning p.account_id, p.status_id
), logged as (
  insert into events (kind, actor_id, status_id) select 'status.pinned', fixed.account_id, fixed.status_id from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format('the status %s is deleted, a boost, or not by the account %s', wrong.status_id, wrong.account_id)) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
