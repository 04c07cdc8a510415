-- hold_worker_lock: takes a lock that is held as long as this connection is open, and so proves
-- that the worker is alive. See recover.
-- $1 worker text
-- rows: one without columns
-- plan: one call
select from pg_advisory_lock_shared(1802661729, hashtext($1::text))
