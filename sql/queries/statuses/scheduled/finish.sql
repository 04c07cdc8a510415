-- finish: replaces a scheduled status by the posted one, also under its Idempotency-Key.
-- $1 id bigint
-- $2 status bigint
-- rows: none
-- plan: no sequential scan
with renamed as (
  update idempotency_keys k set status_id = $2, scheduled_status_id = null where k.scheduled_status_id = $1
)
delete from scheduled_statuses s where s.id = $1
