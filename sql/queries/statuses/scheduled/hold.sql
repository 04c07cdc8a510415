-- hold: a scheduled status is neither moved nor cancelled nor published by another until the transaction ends.
-- $1 id bigint
-- rows: none when it is no more, or not due any more
-- plan: no sequential scan, at most 8 buffers
select s.id from scheduled_statuses s where s.id = $1 and s.scheduled_at <= now() for update
