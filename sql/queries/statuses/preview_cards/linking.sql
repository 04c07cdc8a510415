-- linking: the text in which the preview's link is looked for: of a local status its source, else
-- the HTML. has_room: false when the status shows attachments or a quote instead. mentioned: the
-- addresses of the mentioned accounts: other servers' links to them are no pages.
-- $1 status bigint
-- rows: one when there is such a status
-- plan: no sequential scan
select
  s.local,
  case when s.local then s.text else s.content end as source,
  s.media_attachment_ids = '{}' and not exists (select from quotes q where q.status_id = s.id) as has_room,
  case when not s.local then array(
    select address from mentions m join accounts a on a.id = m.account_id cross join unnest(array[a.uri, a.url]) address
    where m.status_id = s.id and address <> ''
  ) else '{}' end as mentioned
from statuses s
where s.id = $1 and s.deleted_at is null and s.reblog_of_id is null
