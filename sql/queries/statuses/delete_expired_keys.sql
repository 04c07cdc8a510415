-- delete_expired_keys: removes expired Idempotency-Keys.
-- $1 before timestamptz
-- rows: none
-- plan: no sequential scan
delete from idempotency_keys k where k.created_at < $1
