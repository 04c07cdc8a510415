-- linking: the text that the preview of a status is looked for in; none when the status shows something else instead.
-- $1 status bigint
-- rows: one when there is such a status of this server
-- plan: no sequential scan
select
  s.text,
  s.media_attachment_ids = '{}' and not exists (select from quotes q where q.status_id = s.id) as has_room
from statuses s
where s.id = $1 and s.local and s.deleted_at is null and s.reblog_of_id is null
