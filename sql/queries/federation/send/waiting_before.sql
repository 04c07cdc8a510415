-- waiting_before: when an earlier delivery about the same object to the same inbox is tried again.
-- $1 key text
-- rows: none when there is none, else one
-- plan: one row by key
select j.run_at from graphile_worker.jobs j where j.key = $1 and j.attempts < j.max_attempts
