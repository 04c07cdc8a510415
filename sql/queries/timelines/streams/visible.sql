-- visible: whether anybody may see this status.
-- $1 status bigint
-- rows: the status, or none
-- plan: no sequential scan, at most 16 buffers
select s.id from visible_statuses(null) s where s.id = $1
