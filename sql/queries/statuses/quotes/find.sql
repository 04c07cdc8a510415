-- find: the quote of one status by another.
-- $1 quoted bigint
-- $2 quoting bigint
-- rows: none or one
-- plan: no sequential scan, at most 12 buffers
select q.id
from quotes q
join statuses s on s.id = q.status_id and s.deleted_at is null
where q.status_id = $2 and q.quoted_status_id = $1
