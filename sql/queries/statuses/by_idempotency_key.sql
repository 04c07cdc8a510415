-- by_idempotency_key: the posted or scheduled status of the last hour with this Idempotency-Key.
-- $1 author bigint
-- $2 key text
-- rows: none or one
-- plan: no sequential scan, at most 4 buffers
select k.status_id, k.scheduled_status_id
from idempotency_keys k
where k.account_id = $1 and k.key = $2 and k.created_at >= now() - interval '1 hour'
  and (k.status_id is not null or k.scheduled_status_id is not null)
