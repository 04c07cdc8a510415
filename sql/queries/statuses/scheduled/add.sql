-- add: stores a scheduled status, with its attachments reserved. Nothing is stored when another
-- post of the author used the same Idempotency-Key within the hour: the second of two simultaneous
-- requests waits here for the first.
-- $1 account bigint
-- $2 application bigint
-- $3 scheduled_at timestamptz
-- $4 params jsonb
-- $5 settled jsonb
-- $6 media bigint[]
-- $7 idempotency_key text
-- rows: one, or none when nothing was stored; reserved: how many of the attachments were free
-- plan: no sequential scan
with fresh as materialized (
  select nextval(pg_get_serial_sequence('scheduled_statuses', 'id')) as id
), claimed as (
  insert into idempotency_keys as k (account_id, key, scheduled_status_id)
  select $1, $7, fresh.id from fresh where $7::text is not null
  on conflict (account_id, key) do update
  set status_id = null, scheduled_status_id = excluded.scheduled_status_id, created_at = now()
  where k.created_at < now() - interval '1 hour'
  returning k.key
), stored as (
  insert into scheduled_statuses (id, account_id, application_id, scheduled_at, params, settled)
  overriding system value
  select fresh.id, $1, $2, $3, $4, $5 from fresh where $7::text is null or exists (select from claimed)
  returning scheduled_statuses.id
), reserved as (
  update media_attachments m set scheduled_status_id = stored.id
  from stored
  where m.id = any ((select $6::bigint[])::bigint[]) and m.account_id = $1 and m.status_id is null and m.scheduled_status_id is null
  returning m.id
)
select stored.id, (select count(*) from reserved)::integer as reserved from stored
