-- earlier_retries: the times of retries of earlier deliveries about the same object to the same
-- inboxes.
-- $1 keys text[]
-- rows: one an inbox with such a delivery
-- plan: one row by key
select j.key, j.run_at
from graphile_worker.jobs j
where j.key = any ((select $1::text[])::text[]) and j.attempts < j.max_attempts
