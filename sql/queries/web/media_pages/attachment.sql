-- attachment: an attachment of a status that the viewer (null: anonymous) may see.
-- $1 viewer bigint
-- $2 id bigint
-- $3 moderates boolean
-- rows: none when there is none, else one; if $3, also of a deleted status that is kept as
--   evidence; local: whether its owner is local; rejected: whether the media of its domain are
--   rejected
-- plan: no sequential scan
select
  m.type, m.file_key, m.preview_key, m.remote_url, m.description, s.local,
  exists (
    select from accounts a cross join domain_rule(a.domain) r where a.id = m.account_id and (r.reject_media or r.severity = 'suspend')
  ) as rejected
from media_attachments m
join statuses s on s.id = m.status_id
where m.id = $2 and m.id = any (s.media_attachment_ids) and m.processing = 'done'
  and (
    exists (select from visible_statuses($1::bigint) v where v.id = s.id)
    or $3::boolean and s.deleted_at is not null and is_evidence(s)
  )
