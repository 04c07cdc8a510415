-- visible_status: whether a status still exists, and its author is neither suspended nor being
-- deleted.
-- $1 status bigint
-- rows: one when it does, else none
-- plan: no sequential scan
select s.id
from statuses s
join accounts a on a.id = s.account_id
where s.id = $1 and s.deleted_at is null and a.suspended_at is null and a.deletion_requested_at is null
