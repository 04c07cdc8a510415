-- move: changes the time of a scheduled status.
-- $1 account bigint
-- $2 id bigint
-- $3 scheduled_at timestamptz
-- rows: none or one
-- plan: no sequential scan, at most 20 buffers
update scheduled_statuses s set scheduled_at = $3 where s.id = $2 and s.account_id = $1 returning s.id
