-- linking: what the preview of a status is looked for in: the text of one of this server, else the HTML. None when the status shows
-- something else instead.
-- $1 status bigint
-- rows: one when there is such a status
-- plan: no sequential scan
select
  s.local,
  case when s.local then s.text else s.content end as source,
  s.media_attachment_ids = '{}' and not exists (select from quotes q where q.status_id = s.id) as has_room
from statuses s
where s.id = $1 and s.deleted_at is null and s.reblog_of_id is null
