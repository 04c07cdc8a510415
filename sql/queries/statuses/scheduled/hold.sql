-- hold: prevents other transactions from moving, cancelling or publishing a scheduled status until
-- this one ends.
-- $1 id bigint
-- rows: none when it no longer exists, or is no longer due
-- plan: no sequential scan, at most 8 buffers
select s.id from scheduled_statuses s where s.id = $1 and s.scheduled_at <= now() for update
