-- An Idempotency-Key is remembered for its hour also when what was scheduled with it has been cancelled: a repeat is then answered 404 and
-- schedules nothing. What the key names need not exist any more; the key itself is forgotten after the hour (statuses/forget_keys).
-- Takes an exclusive lock on both tables, and no time.
alter table idempotency_keys drop constraint idempotency_keys_scheduled_status_id_fkey;
