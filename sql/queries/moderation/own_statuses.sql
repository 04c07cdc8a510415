-- own_statuses: the statuses among these that belong to the account and are not deleted, newest
-- first.
-- $1 account bigint
-- $2 ids bigint[]
-- rows: one a status; has_media: whether it shows attachments or the preview of a page
-- plan: no sequential scan
select
  s.id,
  s.media_attachment_ids <> '{}' or exists (select from preview_cards_statuses x where x.status_id = s.id) as has_media,
  s.sensitive
from statuses s
where s.id = any ((select $2::bigint[])::bigint[]) and s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null
order by s.id desc
