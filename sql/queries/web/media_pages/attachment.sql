-- attachment: an attachment of a status that the viewer (null: anonymous) may see.
-- $1 viewer bigint
-- $2 id bigint
-- rows: none when there is none, else one; local: whether its owner is local; rejected: whether the
--   media of its domain are rejected
-- plan: no sequential scan
select
  m.type, m.file_key, m.preview_key, m.remote_url, m.description, s.local,
  exists (
    select from accounts a cross join domain_rule(a.domain) r where a.id = m.account_id and (r.reject_media or r.severity = 'suspend')
  ) as rejected
from media_attachments m
join visible_statuses($1::bigint) s on s.id = m.status_id
where m.id = $2 and m.id = any (s.media_attachment_ids) and m.processing = 'done'
