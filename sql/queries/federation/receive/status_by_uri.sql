-- status_by_uri: the status with this URI, or the local one with this id.
-- $1 uri text
-- $2 local_id bigint
-- rows: none or one
-- plan: no sequential scan
select s.id, s.account_id, s.local, s.visibility, s.reblog_of_id, s.created_at, s.edited_at
from statuses s
where s.deleted_at is null and s.id in (
  select r.id from statuses r where r.uri = $1
  union all
  select l.id from statuses l where l.id = $2::bigint and l.local
)
