-- editable: a status that its author may edit.
-- $1 author bigint
-- $2 status bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select s.id, s.visibility, exists (select from polls p where p.status_id = s.id) as has_poll
from statuses s
where s.id = $2 and s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null
